import { expect, test } from 'vitest';
import { readAnswer } from '../../../bench/load/answer.ts';

const withLength = 'HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nbody';
const chunked =
  'HTTP/1.1 503 Busy\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nfir\r\n2\r\nst\r\n0\r\n\r\n';

test.each([
  ['a body with a length', withLength, 200, 'body'],
  ['a body in chunks', chunked, 503, 'first'],
])('reads %s', (_case, text, status, body) => {
  const answer = readAnswer(Buffer.from(text));
  expect({ status: answer?.status, body: answer?.body.toString() }).toEqual({ status, body });
});

test.each([withLength, chunked])('waits for the last byte of an answer', (text) => {
  const bytes = Buffer.from(text);
  const parts = Array.from(bytes, (_, length) => readAnswer(bytes.subarray(0, length)));
  expect(parts.filter((answer) => answer !== undefined)).toEqual([]);
});

test('refuses an answer without a length', () => {
  expect(() => readAnswer(Buffer.from('HTTP/1.1 200 OK\r\n\r\n'))).toThrow('without a length');
});
