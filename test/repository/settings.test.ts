import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';

const root = path.resolve(import.meta.dirname, '../..');
const readText = (file: string) => readFileSync(path.join(root, file), 'utf8');

/** Names of variables that the configuration reads. */
const asked = globSync('server/{,platform/}config/*config.ts', { cwd: root }).flatMap((file) =>
  [...readText(file).matchAll(/read\.\w+\(\s*'([A-Z_]+)'/g)].map(([, name]) => name),
);
/** Names in the first column of the tables in the README. */
const documented = readText('README.md')
  .split('\n')
  .flatMap((line) => /^\| ((?:`[A-Z_]+`(?:, )?)+) \|/.exec(line)?.[1]?.split(', ') ?? [])
  .map((name) => name.replaceAll('`', ''))
  .filter((name) => !name.startsWith('RG_'));

test('the README lists exactly the variables that the configuration reads', () => {
  expect([...new Set(documented)].sort()).toEqual([...new Set(asked)].sort());
});
