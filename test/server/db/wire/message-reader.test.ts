import { describe, expect, test } from 'vitest';
import {
  byteRow,
  decodeBytes,
  MessageReader,
  textRow,
} from '../../../../server/db/requests/wire/message-reader.ts';

const message = (code: string, ...parts: readonly Buffer[]) => {
  const content = Buffer.concat(parts);
  const header = Buffer.alloc(5, code);
  header.writeInt32BE(content.length + 4, 1);
  return Buffer.concat([header, content]);
};
const int16 = (value: number) => Buffer.from([value >> 8, value]);
const int32 = (value: number) => Buffer.from([value >> 24, value >> 16, value >> 8, value]);
const value = (text: string | null) =>
  text === null
    ? int32(-1)
    : Buffer.concat([int32(Buffer.byteLength(text)), Buffer.from(text, 'utf8')]);
const dataRow = (...texts: readonly (string | null)[]) =>
  message('D', int16(texts.length), ...texts.map(value));

const long = 'ä😀'.repeat(50);
const notice = message('N', Buffer.from('Sa\0\0'));
const ready = message('Z', Buffer.from('I'));
const answer = Buffer.concat([
  ...[message('1'), message('2'), notice, dataRow('a', null, '')],
  ...[message('C', Buffer.from('SELECT 1\0')), message('2'), dataRow(long)],
  ...[message('C', Buffer.from('SELECT 1\0')), ready, notice],
]);

/** Reads the answer in chunks of a size from one buffer, as a socket does. Returns everything that happened. */
function readInChunks(size: number, isFlight = true) {
  const seen: unknown[] = [];
  const reader = new MessageReader((messages) => {
    seen.push(messages.toString('latin1'));
  });
  const receiver = {
    onParsed: () => void seen.push('parsed'),
    onRow: (bytes: Buffer, start: number) => void seen.push(textRow(bytes, start)),
    onCompleted: () => void seen.push('completed'),
  };
  reader.receiver = isFlight ? receiver : undefined;
  const buffer = Buffer.alloc(size);
  for (let at = 0; at < answer.length; at += size) {
    const bytes = answer.copy(buffer, 0, at, at + size);
    reader.read(buffer.subarray(0, bytes));
    buffer.fill(0xff);
  }
  return seen;
}

describe('the messages of Postgres', () => {
  test.each([1, 2, 3, 4, 5, 6, 7, 11, 64, 300])(
    'are complete and in order when they arrive in chunks of %i bytes',
    (size) => {
      const text = notice.toString('latin1');
      const passed = readInChunks(size).flatMap((one) =>
        one === `${ready.toString('latin1')}${text}` ? [ready.toString('latin1'), text] : [one],
      );
      expect(passed).toEqual([
        ...['parsed', text, ['a', null, ''], 'completed', [long], 'completed'],
        ...[ready.toString('latin1'), text],
      ]);
    },
  );

  test.each([1, 7, 4096])('reach pg without a flight, in chunks of %i bytes', (size) => {
    expect(readInChunks(size, false).join('')).toBe(answer.toString('latin1'));
  });
});

test('a byte string has one character for each byte, and decodes to the text', () => {
  const row = dataRow(long);
  const [bytes] = byteRow(row, 5);
  expect(bytes).toHaveLength(Buffer.byteLength(long));
  expect(bytes && decodeBytes(bytes)).toBe(long);
});
