import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { setImmediate as nextRound } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { runInSlices, type Steps } from '../../../../permissions/index.ts';
import { runAtOnce } from '../../../../permissions/role-view.ts';

/** Longer than a slice. */
const STEP_MS = 10;

function* longSteps(log: string[]): Steps<string> {
  for (const name of ['first', 'second', 'third']) {
    const end = performance.now() + STEP_MS;
    while (performance.now() < end);
    log.push(name);
    yield;
  }
  return 'made';
}

test('other work runs between two slices of long steps', async () => {
  const log: string[] = [];
  const others = (async () => {
    for (let count = 0; count < 5; count += 1) {
      await nextRound();
      log.push('other');
    }
  })();
  expect(await runInSlices(longSteps(log))).toBe('made');
  await others;
  const [, second, third] = ['first', 'second', 'third'].map((name) => log.indexOf(name));
  expect(log.slice(0, second)).toContain('other');
  expect(log.slice(second, third)).toContain('other');
});

test('steps that run at once return the same result', () => {
  expect(runAtOnce(longSteps([]))).toBe('made');
});

test('an error of a step rejects', async () => {
  const failing = (function* (): Steps<never> {
    yield;
    throw new Error('no such column');
  })();
  await expect(runInSlices(failing)).rejects.toThrow('no such column');
});

test("only the thread of introspection and `export sdl` build PostGraphile's schema for Hasura's dialect", async () => {
  const root = path.resolve(import.meta.dirname, '../../../../server');
  const files = (await readdir(root, { recursive: true })).filter((name) => name.endsWith('.ts'));
  const texts = await Promise.all(
    files.map(async (name) => ({ name, text: await readFile(path.join(root, name), 'utf8') })),
  );
  const importing = texts.filter(({ text }) => /from '.*\/schema\.ts'/.test(text));
  expect(importing.map(({ name }) => name).sort()).toEqual([
    'graphql/introspection/introspection-worker.ts',
    'graphql/schema/role-sdl.ts',
  ]);
  const running = texts.filter(({ text }) => /import [^;]*introspection-worker\.ts/.test(text));
  expect(running.map(({ text }) => /import type [^;]*introspection-worker/.test(text))).toEqual([
    true,
    true,
  ]);
});
