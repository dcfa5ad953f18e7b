import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { crc32, deflateSync } from 'node:zlib';
import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { root } from '../../../support/documentation.ts';
import { type Picture, readPng } from '../../../support/png.ts';

const folder = path.join(root, 'docs/operators/pictures');
const maxBytes = 80_000;
const themes = ['light', 'dark'] as const;

/**
 * Takes the picture of a screen in both themes, and checks that the documentation shows it. With UPDATE_PICTURES=1 it
 * first writes the files `docs/operators/pictures/<name>-{light,dark}.png`. Their pixels are not compared, because fonts
 * differ between machines.
 */
export async function checkPictures(page: Page, name: string): Promise<void> {
  const chapter = await readFile(path.join(root, 'docs/operators/console.md'), 'utf8');
  await page.setViewportSize({ width: 1200, height: 720 });
  await page.evaluate(withoutFolders);
  await page.evaluate('scrollTo(0, 0)');
  for (const colorScheme of themes) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    const taken = withPalette(readPng(await page.screenshot({ animations: 'disabled' })));
    const file = `${name}-${colorScheme}.png`;
    if (process.env.UPDATE_PICTURES === '1' && !process.env.CI) {
      await writeFile(path.join(folder, file), taken);
    }
    const shown = await readFile(path.join(folder, file));
    expect(
      [taken.length, shown.length].every((bytes) => bytes < maxBytes),
      file,
    ).toBe(true);
    expect(chapter).toContain(`pictures/${file}`);
  }
  await page.emulateMedia({ colorScheme: null, reducedMotion: null });
}

/** Replaces the temporary folder of the test in all texts by the usual one. */
const withoutFolders = `{
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (texts.nextNode()) {
    const { currentNode } = texts;
    currentNode.data = currentNode.data.replace(/\\/\\S+?\\/(?=tables\\/|\\w+\\.yaml)/g, 'metadata/');
  }
}`;

/** Writes a PNG with a palette, which is a third of the size. Rare colours become the nearest frequent one. */
function withPalette({ width, height, bytes }: Picture): Buffer {
  const pixels = Array.from({ length: width * height }, (_, at) => colourAt(bytes, 3 * at));
  const counts = new Map<number, number>();
  for (const colour of pixels) counts.set(colour, (counts.get(colour) ?? 0) + 1);
  const frequent = [...counts].toSorted(([, one], [, other]) => other - one).slice(0, 256);
  const palette = frequent.map(([colour]) => colour);
  const places = new Map([...counts.keys()].map((colour) => [colour, nearest(colour, palette)]));
  const rows = Buffer.alloc((width + 1) * height);
  for (const [at, colour] of pixels.entries()) {
    rows[at + Math.floor(at / width) + 1] = places.get(colour) ?? 0;
  }
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  // 8 bits for each pixel, with a palette.
  header.set([8, 3], 8);
  return Buffer.concat([
    Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
    chunk('IHDR', header),
    chunk('PLTE', Buffer.from(palette.flatMap(channelsOf))),
    chunk('IDAT', deflateSync(rows, { level: 9 })),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

function colourAt(bytes: Uint8Array, at: number): number {
  return ((bytes[at] ?? 0) << 16) | ((bytes[at + 1] ?? 0) << 8) | (bytes[at + 2] ?? 0);
}

const channelsOf = (colour: number) => [colour >> 16, (colour >> 8) & 255, colour & 255];

/** Returns the place of the most similar colour. */
function nearest(colour: number, palette: readonly number[]): number {
  const own = channelsOf(colour);
  const distances = palette.map((one) =>
    channelsOf(one).reduce((sum, channel, at) => sum + (channel - (own[at] ?? 0)) ** 2, 0),
  );
  return distances.indexOf(Math.min(...distances));
}

/** A part of a PNG (https://www.w3.org/TR/png/#5Chunk-layout). */
function chunk(type: string, data: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const [length, checksum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  checksum.writeUInt32BE(crc32(named));
  return Buffer.concat([length, named, checksum]);
}
