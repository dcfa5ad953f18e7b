import { crc32, inflateSync } from 'node:zlib';
import type { Logo } from './brand.ts';

/** Largest logo, in bytes: every page carries it. */
export const mostLogoBytes = 256 * 1024;
/** Widest and highest logo, in pixels: a small file can hold a picture that fills the memory. */
const mostPixels = 2048;
/** Of pixels of eight bytes, and a byte more for each of their rows. */
const mostPixelBytes = mostPixels * (8 * mostPixels + 2);

const pngSignature = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1');

/**
 * Takes the bytes of a file for a logo. Throws an error whose message says what they must be where they are no PNG
 * or JPEG, damaged, or too large.
 */
export function parseLogo(file: Uint8Array): Logo {
  if (file.length > mostLogoBytes) throw new Error(`has more than ${mostLogoBytes / 1024} KiB`);
  const bytes = Buffer.from(file.buffer, file.byteOffset, file.length);
  const isPng = bytes.subarray(0, pngSignature.length).equals(pngSignature);
  if (!isPng && bytes.toString('latin1', 0, 3) !== '\xff\xd8\xff') {
    throw new Error('is no PNG and no JPEG');
  }
  const size = isPng ? sizeOfPng(bytes) : sizeOfJpeg(bytes);
  if (size === undefined) throw new Error('is damaged');
  if (Math.max(...size) > mostPixels) {
    throw new Error(
      `is ${size.join(' × ')} pixels; at most ${mostPixels} × ${mostPixels} are taken`,
    );
  }
  return { contentType: isPng ? 'image/png' : 'image/jpeg', data: new Uint8Array(bytes) };
}

/** Width and height; undefined unless every chunk up to the last one is whole, and the pixels can be unpacked. */
function sizeOfPng(bytes: Buffer): [number, number] | undefined {
  const pixels: Buffer[] = [];
  let at = pngSignature.length;
  while (at + 12 <= bytes.length) {
    const end = at + 8 + bytes.readUInt32BE(at);
    if (end + 4 > bytes.length) return undefined;
    if (crc32(bytes.subarray(at + 4, end)) !== bytes.readUInt32BE(end)) return undefined;
    const type = bytes.toString('latin1', at + 4, at + 8);
    if (type === 'IDAT') pixels.push(bytes.subarray(at + 8, end));
    if (type === 'IEND') return isPacked(pixels) ? positive(bytes, 20, 16, 4) : undefined;
    at = end + 4;
  }
  return undefined;
}

/** A few bytes can be unpacked to more than fits into the memory, so that it is tried with a limit. */
function isPacked(pixels: readonly Buffer[]): boolean {
  try {
    return inflateSync(Buffer.concat(pixels), { maxOutputLength: mostPixelBytes }).length > 0;
  } catch {
    return false;
  }
}

/** Width and height as the frame's header tells them; undefined unless the picture has an end. */
function sizeOfJpeg(bytes: Buffer): [number, number] | undefined {
  if (bytes.lastIndexOf('\xff\xd9', undefined, 'latin1') < 0) return undefined;
  let at = 2;
  while (at + 9 <= bytes.length && bytes[at] === 0xff) {
    const marker = bytes[at + 1] ?? 0;
    // All frames' headers but for three markers among them that mean something else.
    const isFrame = marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);
    if (isFrame) return positive(bytes, at + 5, at + 7, 2);
    at += marker === 0xff ? 1 : 2 + bytes.readUInt16BE(at + 2);
  }
  return undefined;
}

function positive(
  bytes: Buffer,
  heightAt: number,
  widthAt: number,
  length: number,
): [number, number] | undefined {
  const width = bytes.readUIntBE(widthAt, length);
  const height = bytes.readUIntBE(heightAt, length);
  return width > 0 && height > 0 ? [width, height] : undefined;
}
