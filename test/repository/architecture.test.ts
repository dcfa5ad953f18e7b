import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';

const root = path.resolve(import.meta.dirname, '../..');
const page = readFileSync(path.join(root, 'docs/contributing/architecture.md'), 'utf8');
const named = [...page.matchAll(/`((?:[a-z-]+\/)+[a-z-]*(?:\.ts)?)`/g)].map(
  ([, name = '']) => name,
);

test('every path with a top-level folder on the architecture page exists', () => {
  const paths = named.filter((name) => /^(permissions|server|build|sql)\//.test(name));
  expect(paths.length).toBeGreaterThan(25);
  expect(paths.filter((name) => !existsSync(path.join(root, name)))).toEqual([]);
});

test.each(['permissions', 'server'])('the architecture page names every folder of %s', (top) => {
  const folders = readdirSync(path.join(root, top), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name);
  const isNamed = (folder: string) =>
    named.some((name) => name.startsWith(`${top}/${folder}/`) || name === `${folder}/`);
  expect(folders.filter((folder) => !isNamed(folder))).toEqual([]);
});
