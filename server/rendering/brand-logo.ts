import { crc32, inflateSync } from 'node:zlib';
import type { Logo } from './brand.ts';

/** Maximum size of a logo file in bytes. Every page contains the logo. */
export const maxLogoBytes = 256 * 1024;
/** Maximum width and height of a logo in pixels, because a small file can unpack to a picture that fills the memory. */
const maxPixels = 2048;
/** Maximum bytes of the unpacked pixels: eight bytes for each pixel, and the filter bytes of each row. */
const maxPixelBytes = maxPixels * (8 * maxPixels + 2);

const pngSignature = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1');

/** Reads a logo from the bytes of a file. @throws Error for a file that is not PNG or JPEG, damaged, or too large */
export function parseLogo(file: Uint8Array): Logo {
  if (file.length > maxLogoBytes) throw new Error(`has more than ${maxLogoBytes / 1024} KiB`);
  const bytes = Buffer.from(file.buffer, file.byteOffset, file.length);
  const isPng = bytes.subarray(0, pngSignature.length).equals(pngSignature);
  if (!isPng && bytes.toString('latin1', 0, 3) !== '\xff\xd8\xff') {
    throw new Error('is neither PNG nor JPEG');
  }
  const size = isPng ? sizeOfPng(bytes) : sizeOfJpeg(bytes);
  if (size === undefined) throw new Error('is damaged');
  if (Math.max(...size) > maxPixels) {
    throw new Error(`is ${size.join(' × ')} pixels; at most ${maxPixels} × ${maxPixels} are taken`);
  }
  return { contentType: isPng ? 'image/png' : 'image/jpeg', data: new Uint8Array(bytes) };
}

/** Returns width and height; undefined when a chunk is damaged or the pixels cannot be unpacked. */
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

/** Returns true when the pixels can be unpacked. The limit protects the memory against compression bombs. */
function isPacked(pixels: readonly Buffer[]): boolean {
  try {
    return inflateSync(Buffer.concat(pixels), { maxOutputLength: maxPixelBytes }).length > 0;
  } catch {
    return false;
  }
}

/** Returns width and height from the frame header; undefined when the picture has no end marker. */
function sizeOfJpeg(bytes: Buffer): [number, number] | undefined {
  if (bytes.lastIndexOf('\xff\xd9', undefined, 'latin1') < 0) return undefined;
  let at = 2;
  while (at + 9 <= bytes.length && bytes[at] === 0xff) {
    const marker = bytes[at + 1] ?? 0;
    // The markers of frame headers, except three markers in this range that have other meanings.
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
