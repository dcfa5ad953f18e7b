import path from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { endPrograms, startProgram } from '../../support/program.ts';
import { until } from '../../support/until.ts';

afterEach(endPrograms);

const child = path.join(import.meta.dirname, 'support/logging-child.ts');

function linesOf(output: string): readonly { readonly msg: string; readonly line?: number }[] {
  return output
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
}

/** The lines have more bytes than what is written together. */
const numbers = Array.from({ length: 400 }, (_, index) => index + 1);

test.each([
  ['an uncaught exception', 1],
  ['an unhandled rejection', 1],
  ['process.exit', 3],
  ['no more work', 0],
])('the log contains all lines when the process ends by %s', async (end, code) => {
  const program = startProgram(process.execPath, [child, end, String(numbers.length)]);
  expect(await program.ended).toBe(code);
  const lines = linesOf(program.stdout());
  // Lines that are being written when the process ends may come after the others.
  expect(lines.flatMap(({ line }) => line ?? []).toSorted((a, b) => a - b)).toEqual(numbers);
  expect(lines.map(({ msg }) => msg)).toContain('the last line');
});

test('a running process writes its last line although no further line follows', async () => {
  const program = startProgram(process.execPath, [child, 'a signal']);
  await until(async () => program.stdout().includes('the last line'));
  expect(await program.end('SIGKILL')).toBe('SIGKILL');
});
