import { globSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readPage, root } from '../../support/documentation.ts';
import { type Block, readBlocks } from './blocks.ts';
import { runBlock } from './run-block.ts';
import { openWorld, type World } from './worlds.ts';

/** Actions of a page's test in addition to running the examples. */
export interface PageOptions {
  /** Whether the examples start programs, as a reader does. Otherwise the process of the tests runs commands and servers. */
  readonly startsProgram?: boolean;
  /** Starts other programs before the first example. Returns environment variables for the examples. */
  readonly prepare?: (world: World) => Promise<Readonly<Record<string, string>>>;
  /** Declares tests that run after the examples. */
  readonly afterwards?: (world: () => World) => void;
}

/** Declares a test for each example of the pages that a pattern names, from top to bottom. */
export function describePages(pattern: string): void {
  const files = globSync(pattern, { cwd: root }).toSorted();
  test(`the examples of ${pattern} can be read`, () => {
    expect(files).not.toEqual([]);
    expect(() => files.map((file) => readBlocks(readPage(file)))).not.toThrow();
  });
  for (const file of files) {
    if (readBlocks(readPage(file)).some(isRun)) describePage(file);
  }
}

export function describePage(file: string, options: PageOptions = {}): void {
  const blocks = readBlocks(readPage(file));
  const worlds = [...new Set(blocks.map(({ world }) => world))];
  for (const kind of worlds) {
    const own = blocks.filter((block) => block.world === kind && isRun(block));
    if (own.length === 0) continue;
    describe(`${file} (${kind})`, { shuffle: false }, () => {
      let world: World;
      beforeAll(async () => {
        world = await openWorld(kind, options.startsProgram ?? false);
        Object.assign(world.environment, await options.prepare?.(world));
      });
      afterAll(() => world.end());

      test.each(own)('$title does as the page says', (block) => runBlock(block, world));

      test('the metadata of the page can be applied', () => world.apply());

      options.afterwards?.(() => world);
    });
  }
  const others = blocks.flatMap(({ runBy }) => runBy ?? []);
  test.each([...new Set(others)])(`${file} is read by %s`, (other) => {
    expect(readPage(path.posix.normalize(other)).text).toContain(path.basename(file));
  });
}

function isRun({ isSkipped, runBy }: Block): boolean {
  return !isSkipped && runBy === undefined;
}
