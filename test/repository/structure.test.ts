import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { findProblems } from '../../build/structure/check.ts';
import { makeDataFolder, removeFolders } from '../support/data-folder.ts';

const root = path.resolve(import.meta.dirname, '../..');

afterEach(removeFolders);

/** Returns the problems that the check reports for a checkout with these files. */
async function problemsOf(files: Readonly<Record<string, string>>): Promise<readonly string[]> {
  const folder = await makeDataFolder();
  for (const [file, text] of Object.entries(files)) {
    await mkdir(path.dirname(path.join(folder, file)), { recursive: true });
    await writeFile(path.join(folder, file), text);
  }
  return findProblems(folder);
}

const platformFiles = {
  'sql/platform/0001_shop.sql': 'create schema rowgate_shop;\ncreate table public.gift_card ();\n',
  'metadata/roles.yaml': 'roles:\n  shop_keeper: {}\n',
  'server/platform/shop.ts': "export const shop = { path: '/shop/{id}' };\n",
};

test('the repository follows the rules', () => {
  expect(findProblems(root)).toEqual([]);
});

test('a circle between files is reported, type imports included', async () => {
  expect(
    await problemsOf({
      'server/db/a.ts': "import type { b } from './b.ts';\n",
      'server/db/b.ts': "export * from './a.ts';\n",
    }),
  ).toEqual(['server/db: a circle of imports: a.ts -> b.ts -> a.ts']);
});

test('a circle between folders is reported even when no files form a circle', async () => {
  expect(
    await problemsOf({
      'server/db/pools/deep/a.ts': "import '../../notices/b.ts';\n",
      'server/db/notices/b.ts': '',
      'server/db/notices/c.ts': "await import('../pools/d.ts');\n",
      'server/db/pools/d.ts': '',
    }),
  ).toEqual(['server/db: a circle of imports: notices -> pools -> notices']);
});

test.each([
  ['permissions/text/a.ts', '../model/b.ts', 'permissions/model stands above permissions/text'],
  ['server/db/a.ts', '../http/b.ts', 'server/http stands above server/db'],
  ['permissions/text/a.ts', '../../server/errors.ts', 'permissions/ imports nothing from outside'],
  ['server/db/a.ts', '../../permissions/text/b.ts', 'only permissions/index.ts is public'],
  ['server/start/a.ts', '../platform/b.ts', 'only server/applications.ts imports an application'],
])('%s cannot import %s', async (file, specifier, reason) => {
  const target = path.posix.join(path.posix.dirname(file), specifier);
  expect(
    await problemsOf({ [file]: `import type { b } from '${specifier}';\n`, [target]: '' }),
  ).toEqual([`${file}: imports ${target}; ${reason}`]);
});

test('a folder that the order does not name is reported', async () => {
  expect(await problemsOf({ 'server/helpers/a.ts': '' })).toEqual([
    'server/helpers/a.ts: server/helpers stands in no line of the order',
  ]);
});

test.each([
  ['the schema rowgate_shop', "'select 1 from rowgate_shop.till'"],
  ['the table gift_card', "'delete from public.gift_card'"],
  ['the table gift_card', "'gift_card'"],
  ['the path /shop', "'/shop/4'"],
  ['the role shop_keeper', "'shop_keeper'"],
])('%s of the platform is reported outside its folder', async (name, code) => {
  const file = 'server/db/a.ts';
  expect(await problemsOf({ ...platformFiles, [file]: `export const a = ${code};\n` })).toEqual([
    `${file}: holds ${name} of the platform`,
  ]);
});

test('names of the platform are allowed in comments and in its own folder', async () => {
  const text = "// 'shop_keeper'\n/* rowgate_shop */\nexport const url = 'http://example.com';\n";
  expect(
    await problemsOf({
      ...platformFiles,
      'server/db/a.ts': text,
      'server/platform/b.ts': "export const b = ['shop_keeper', 'rowgate_shop', 'gift_card'];\n",
    }),
  ).toEqual([]);
});
