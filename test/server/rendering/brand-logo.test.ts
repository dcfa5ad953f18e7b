import { deflateSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { maxLogoBytes, parseLogo } from '../../../server/rendering/brand-logo.ts';
import { makeJpeg, makePng } from './pictures.ts';

describe('parseLogo accepts', () => {
  test.each([
    ['image/png', makePng(240, 60)],
    ['image/png', makePng(1, 1)],
    ['image/png', makePng(2048, 2048)],
    ['image/jpeg', makeJpeg(240, 60)],
    ['image/jpeg', makeJpeg(2048, 1)],
  ])('a complete file of the format %s', (contentType, data) => {
    expect(parseLogo(data)).toEqual({ contentType, data: new Uint8Array(data) });
  });

  test('a file, and returns a copy of it that can be sent to a thread', () => {
    const pool = Buffer.concat([Buffer.alloc(64), makePng(9, 9), Buffer.alloc(64)]);
    const { data } = parseLogo(pool.subarray(64, pool.length - 64));
    expect(data.buffer.byteLength).toBe(data.byteLength);
  });
});

describe('parseLogo rejects', () => {
  const png = makePng(240, 60);
  const bent = Buffer.from(png).fill(0, 40, 44);
  const jpeg = makeJpeg(240, 60);

  test.each([
    ['is neither PNG nor JPEG', Buffer.of()],
    ['is neither PNG nor JPEG', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>')],
    ['is neither PNG nor JPEG', Buffer.from('GIF89a')],
    ['is damaged', png.subarray(0, -1)],
    ['is damaged', png.subarray(0, 8)],
    ['is damaged', bent],
    ['is damaged', makePng(0, 60)],
    ['is damaged', makePng(9, 9, Buffer.from('not packed'))],
    ['is damaged', makePng(9, 9, deflateSync(Buffer.alloc(64 * 1024 * 1024)))],
    ['is damaged', jpeg.subarray(0, -2)],
    ['is damaged', Buffer.concat([jpeg.subarray(0, 20), Buffer.from('ffd9', 'hex')])],
    ['is damaged', makeJpeg(60, 0)],
    ['is 2049 × 1 pixels; at most 2048 × 2048 are taken', makePng(2049, 1)],
    ['is 1 × 2049 pixels; at most 2048 × 2048 are taken', makeJpeg(1, 2049)],
    ['has more than 256 KiB', Buffer.concat([png, Buffer.alloc(maxLogoBytes)])],
  ])('a file that %s (%#)', (problem, file) => {
    expect(() => parseLogo(file)).toThrow(problem);
  });

  test.each(Array.from({ length: jpeg.indexOf('ffc0', 'hex') + 7 }, (_, index) => index))(
    'a JPEG that has only its first %i bytes and its end marker',
    (length) => {
      const cut = Buffer.concat([jpeg.subarray(0, length), Buffer.from('ffd9', 'hex')]);
      expect(() => parseLogo(cut)).toThrow(/^is (damaged|neither PNG nor JPEG)$/);
    },
  );
});
