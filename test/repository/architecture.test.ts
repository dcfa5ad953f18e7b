import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';

const root = path.resolve(import.meta.dirname, '../..');
const page = readFileSync(path.join(root, 'docs/contributing/architecture.md'), 'utf8');
const named = [...page.matchAll(/`((?:[a-z-]+\/)+[a-z-]*(?:\.ts)?)`/g)].map(
  ([, name = '']) => name,
);

const isMissing = (name: string) => !existsSync(path.join(root, name));

test('every path on the page about the architecture exists', () => {
  const paths = named.filter((name) => /^(permissions|server|build|sql)\//.test(name));
  expect(paths.length).toBeGreaterThan(25);
  expect(paths.filter(isMissing)).toEqual([]);
});

test('every file that the architecture page names for a step exists in the folder of that step', () => {
  const rows = [...page.matchAll(/^\|[^|]+\| `([a-z-]+\/[a-z/-]+\/)` \| (.+) \|$/gm)];
  const files = rows.flatMap(([, folder = '', cell = '']) =>
    [...cell.matchAll(/`([^`]+\.ts)`/g)].map(([, file = '']) => folder + file),
  );
  expect(files.length).toBeGreaterThan(10);
  expect(files.filter(isMissing)).toEqual([]);
});

test('the architecture page names existing files for each of nine common changes', () => {
  const [, table = ''] = page.split('## Files of frequent changes');
  const rows = table.split('\n').filter((line) => /^\| (add|change how|find) /.test(line));
  const files = rows.map((row) =>
    [...row.matchAll(/`([^`*]+\/[^`*]+\.ts)`/g)].map(([, file = '']) => file),
  );
  expect(files.map((found) => found.length > 0)).toEqual(Array(9).fill(true));
  expect(files.flat().filter(isMissing)).toEqual([]);
});

test.each(['permissions', 'server'])('the architecture page names every folder of %s', (top) => {
  const folders = readdirSync(path.join(root, top), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name);
  const isNamed = (folder: string) =>
    named.some((name) => name.startsWith(`${top}/${folder}/`) || name === `${folder}/`);
  expect(folders.filter((folder) => !isNamed(folder))).toEqual([]);
});

test('every file that docs/contributing/follow-a-rule-and-a-request.md names exists', () => {
  const file = path.join(root, 'docs/contributing/follow-a-rule-and-a-request.md');
  const paths = [...readFileSync(file, 'utf8').matchAll(/`((?:permissions|server)\/[^`]+)`/g)];
  expect(paths.length).toBeGreaterThan(25);
  const missing = paths.filter(([, name = '']) => !existsSync(path.join(root, name)));
  expect(missing.map(([, name]) => name)).toEqual([]);
});
