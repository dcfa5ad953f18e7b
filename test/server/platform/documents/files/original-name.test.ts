import { expect, test } from 'vitest';
import { safeOriginalName } from '../../../../../server/platform/documents/files/upload/original-name.ts';

test.each([
  ['report.pdf', 'report.pdf'],
  ['Übersicht – Q1 (final).pdf', 'Übersicht – Q1 (final).pdf'],
  ['отчёт.docx', 'отчёт.docx'],
  ['تقرير.pdf', 'تقرير.pdf'],
  ['👩‍💻.txt', '👩‍💻.txt'],
  ['../../etc/passwd', 'passwd'],
  ['C:\\Users\\me\\tax.xls', 'tax.xls'],
  ['a/b/', 'file'],
  ['..', 'file'],
  ['', 'file'],
  ['   ', 'file'],
  ['\u200d', 'file'],
  ['a\u0000b\r\nc\u001b.txt', 'abc.txt'],
  ['invoice\u202Efdp.exe', 'invoicefdp.exe'],
  ['\u2067a\u2069\u200Fb\u061C.txt', 'ab.txt'],
  ['zero\u200Bwidth\uFEFF.txt', 'zerowidth.txt'],
  ['a\u00A0\u3000b\u2028.txt', 'a  b.txt'],
  ['\uD800half.txt', '\uFFFDhalf.txt'],
  ['.htaccess', '.htaccess'],
])('the name %j of an uploaded file is stored as %j', (given, left) => {
  expect(safeOriginalName(given)).toBe(left);
});

test('the name of an uploaded file is cut without losing the extension or splitting a character', () => {
  const name = safeOriginalName(`${'😀'.repeat(300)}.pdf`);
  expect(name).toBe(`${'😀'.repeat(251)}.pdf`);
  expect(safeOriginalName('a'.repeat(300))).toBe('a'.repeat(255));
  expect(safeOriginalName(`a.${'b'.repeat(300)}`)).toBe(`a.${'b'.repeat(253)}`);
});
