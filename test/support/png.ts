import { inflateSync } from 'node:zlib';

/** Bytes of red, green and blue, row by row. */
export interface Picture {
  readonly width: number;
  readonly height: number;
  readonly bytes: Uint8Array;
}

/** Bytes of one pixel. */
const size = 3;

/** Reads a PNG with 8 bits per channel, not interlaced, as pdftoppm writes it. */
export function readPng(png: Buffer): Picture {
  const width = png.readUInt32BE(16);
  const height = png.readUInt32BE(20);
  if (png[24] !== 8 || png[25] !== 2) throw new Error('not a PNG of 8 bits a colour');
  const rows = inflateSync(Buffer.concat(imageData(png)));
  const bytes = new Uint8Array(width * height * size);
  for (let y = 0; y < height; y += 1) unfilter(rows, bytes, width * size, y);
  return { width, height, bytes };
}

/** Returns the share of bytes that differ clearly. */
export function difference(one: Picture, other: Picture): number {
  if (one.width !== other.width || one.height !== other.height) return 1;
  const differing = one.bytes.filter((byte, at) => Math.abs(byte - (other.bytes[at] ?? 0)) > 72);
  return differing.length / one.bytes.length;
}

function imageData(png: Buffer): Buffer[] {
  const parts: Buffer[] = [];
  for (let at = 8; at < png.length; ) {
    const length = png.readUInt32BE(at);
    const isData = png.toString('latin1', at + 4, at + 8) === 'IDAT';
    if (isData) parts.push(png.subarray(at + 8, at + 8 + length));
    at += length + 12;
  }
  return parts;
}

/** Reverses the filter of one row (https://www.w3.org/TR/png/#9Filters). */
function unfilter(rows: Buffer, bytes: Uint8Array, width: number, y: number): void {
  const start = y * (width + 1);
  const guess = guesses[rows[start] ?? 0] ?? none;
  for (let x = 0; x < width; x += 1) {
    const at = y * width + x;
    const left = x >= size ? (bytes[at - size] ?? 0) : 0;
    const above = y > 0 ? (bytes[at - width] ?? 0) : 0;
    const corner = x >= size && y > 0 ? (bytes[at - width - size] ?? 0) : 0;
    bytes[at] = (rows[start + 1 + x] ?? 0) + guess(left, above, corner);
  }
}

const none = () => 0;

/** The guess of each filter by its number. A page has millions of bytes, so a guess allocates nothing. */
const guesses: readonly ((left: number, above: number, corner: number) => number)[] = [
  none,
  (left) => left,
  (_left, above) => above,
  (left, above) => (left + above) >> 1,
  paeth,
];

function paeth(left: number, above: number, corner: number): number {
  const toLeft = Math.abs(above - corner);
  const toAbove = Math.abs(left - corner);
  const toCorner = Math.abs(left + above - 2 * corner);
  if (toLeft <= toAbove && toLeft <= toCorner) return left;
  return toAbove <= toCorner ? above : corner;
}
