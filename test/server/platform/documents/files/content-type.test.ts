import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { contentTypeOf } from '../../../../../server/platform/documents/files/upload/content-type.ts';
import { zipOf } from './support/zip.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(path.join(inject('scratch'), 'types-'));
});
afterAll(() => rm(folder, { recursive: true }));

async function typeOf(content: string | Buffer, declared = 'application/octet-stream') {
  const file = path.join(folder, 'file');
  await writeFile(file, content);
  return contentTypeOf(file, declared);
}

const png = Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex');
const script = '<script>alert(1)</script>';
const word = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document';

describe('the content type of an uploaded file, detected from the bytes,', () => {
  const files: readonly (readonly [string, string | Buffer, string, string, string])[] = [
    ['an image that is declared as text', png, 'text/plain', 'image/png', 'png'],
    ['an image that is also a script', `GIF89a/*${script}*/=1`, 'text/html', 'image/gif', 'gif'],
    ['a PDF that is declared as an image', '%PDF-1.7\n', 'image/png', 'application/pdf', 'pdf'],
    [
      'a PDF that is also an HTML page',
      `%PDF-1.7\n${script}`,
      'text/html',
      'application/pdf',
      'pdf',
    ],
    [
      'an HTML page that is declared as a PDF',
      `<html>${script}`,
      'application/pdf',
      'text/plain',
      'txt',
    ],
    [
      'an HTML page that contains a PDF',
      `<html>\n%PDF-1.7\n`,
      'application/pdf',
      'text/plain',
      'txt',
    ],
    ['text that is declared as an image', 'hello', 'image/png', 'text/plain', 'txt'],
    [
      'bytes that are declared as an HTML page',
      '\u0001\u0002\u0000<html>',
      'text/html',
      'application/octet-stream',
      'bin',
    ],
    ['a program', 'MZ\u0000\u0000', 'application/pdf', 'application/x-msdownload', 'exe'],
    [
      'a Word document',
      zipOf({
        '[Content_Types].xml': `<Types><Override ContentType="${word}.main+xml"/></Types>`,
        'word/document.xml': '<w/>',
      }),
      'text/plain',
      word,
      'docx',
    ],
    [
      'a file whose type has capital letters',
      Buffer.from('000001ba21', 'hex'),
      'text/plain',
      'video/mp1s',
      'mpg',
    ],
    ['an empty file', '', 'application/pdf', 'text/plain', 'txt'],
  ];
  test.each(files)('is right for %s', async (_title, content, declared, contentType, extension) => {
    expect(await typeOf(content, declared)).toEqual({ contentType, extension });
  });
});

describe('the content type that the sender declares is used only for text:', () => {
  test.each([
    ['text/csv', 'csv'],
    ['text/markdown', 'md'],
    ['application/json', 'json'],
    ['text/html', undefined],
    ['image/svg+xml', undefined],
  ])('%s', async (declared, extension) => {
    expect(await typeOf(`<svg>${script}</svg>`, declared)).toEqual({
      contentType: declared,
      extension,
    });
  });

  test.each(['text/"x"', 'text/', `text/${'x'.repeat(200)}`, 'Text/Plain'])(
    'an invalid declared content type is ignored: %s',
    async (declared) => {
      expect((await typeOf('hello', declared)).contentType).toBe('text/plain');
    },
  );
});
