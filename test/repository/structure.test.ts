import { readFileSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { findProblems } from '../../build/structure/check.ts';
import { makeDataFolder, removeFolders } from '../support/data-folder.ts';

const root = path.resolve(import.meta.dirname, '../..');

afterEach(removeFolders);

/** Returns the problems that the structure check finds in a checkout with these files. */
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

test('the structure check finds no problem in this repository', () => {
  expect(findProblems(root)).toEqual([]);
});

test('the structure check reports files that import each other in a circle, type imports included', async () => {
  expect(
    await problemsOf({
      'server/db/a.ts': "import type { b } from './b.ts';\n",
      'server/db/b.ts': "export * from './a.ts';\n",
    }),
  ).toEqual(['server/db: a circle of imports: a.ts -> b.ts -> a.ts']);
});

test('the structure check reports folders that import each other in a circle even when no files do', async () => {
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
  [
    'server/console/pages/api/a.ts',
    '../../../db/b.ts',
    'the console imports only types of server/admin',
  ],
])('the structure check reports that %s imports %s', async (file, specifier, reason) => {
  const target = path.posix.join(path.posix.dirname(file), specifier);
  expect(
    await problemsOf({ [file]: `import type { b } from '${specifier}';\n`, [target]: '' }),
  ).toEqual([`${file}: imports ${target}; ${reason}`]);
});

test('the structure check reports a page of the console that imports code of the server', async () => {
  const files = {
    'server/console/pages/api/types.ts': "import type { b } from '../../../admin/b.ts';\n",
    'server/console/pages/api/values.ts': "import { type b, c } from '../../../admin/b.ts';\n",
    'server/admin/b.ts': '',
  };
  expect(await problemsOf(files)).toEqual([
    'server/console/pages/api/values.ts: imports code of server/; only "import type" is allowed',
  ]);
});

test('the structure check reports a folder that is missing in the order of folders', async () => {
  expect(await problemsOf({ 'server/helpers/a.ts': '' })).toEqual([
    'server/helpers/a.ts: server/helpers stands in no line of the order',
  ]);
});

/** Returns a source file and all files that it loads. Imports that begin with `import type` load nothing. */
function loadedFrom(file: string, loaded = new Set<string>()): ReadonlySet<string> {
  if (loaded.has(file)) return loaded;
  loaded.add(file);
  const text = readFileSync(path.join(root, file), 'utf8');
  for (const [, target = ''] of text.matchAll(
    /^(?:im|ex)port (?!type )[^;'=]*from '(\.[^']*)'/gm,
  )) {
    loadedFrom(path.posix.join(path.posix.dirname(file), target), loaded);
  }
  return loaded;
}

test('the thread that builds schemas loads neither the rest of the compiler nor the parser of YAML', () => {
  const loaded = [...loadedFrom('server/graphql/introspection/introspection-worker.ts')];
  expect(loaded).toContain('permissions/access/table-access.ts');
  expect(loaded.filter((file) => /index\.ts$|\/(?:yaml|compile|lint|plan)\//.test(file))).toEqual(
    [],
  );
});

test.each([
  ['the schema rowgate_shop', "'select 1 from rowgate_shop.till'"],
  ['the table gift_card', "'delete from public.gift_card'"],
  ['the table gift_card', "'gift_card'"],
  ['the path /shop', "'/shop/4'"],
  ['the role shop_keeper', "'shop_keeper'"],
])(
  'the structure check reports %s of the platform in a file outside server/platform',
  async (name, code) => {
    const file = 'server/db/a.ts';
    expect(await problemsOf({ ...platformFiles, [file]: `export const a = ${code};\n` })).toEqual([
      `${file}: holds ${name} of the platform`,
    ]);
  },
);

test('the structure check allows names of the platform in comments and inside server/platform', async () => {
  const text = "// 'shop_keeper'\n/* rowgate_shop */\nexport const url = 'http://example.com';\n";
  expect(
    await problemsOf({
      ...platformFiles,
      'server/db/a.ts': text,
      'server/platform/b.ts': "export const b = ['shop_keeper', 'rowgate_shop', 'gift_card'];\n",
    }),
  ).toEqual([]);
});
