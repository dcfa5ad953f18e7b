import { execFile } from 'node:child_process';
import { cp, glob, mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { makeDataFolder, removeFolders } from '../support/data-folder.ts';
import { compileCache } from '../support/rowgate.ts';

const root = path.resolve(import.meta.dirname, '../..');
const run = promisify(execFile);
let checkout: string;

beforeAll(async () => {
  const guide = await readFile(path.join(root, 'docs/contributing/applications.md'), 'utf8');
  const examples = new Map(
    [
      ...guide.matchAll(
        /<!-- (\S+) -->\n<!-- run by \S+ -->\n```ts\n([^`]*(?:`[^`]+`[^`]*)*?)```/g,
      ),
    ].map(([, file = '', text = '']) => [file, text] as const),
  );
  checkout = await makeDataFolder();
  for (const part of ['bin', 'package.json', 'permissions', 'server', 'sql', 'tsconfig.json']) {
    await cp(path.join(root, part), path.join(checkout, part), { recursive: true });
  }
  await symlink(path.join(root, 'node_modules'), path.join(checkout, 'node_modules'));
  await mkdir(path.join(checkout, 'server/shop'));
  await writeFile(
    path.join(checkout, 'server/shop/open-shop.ts'),
    examples.get('server/shop/open-shop.ts') ?? '',
  );
  const registry = path.join(checkout, 'server/applications.ts');
  const text = await readFile(registry, 'utf8');
  const entry = examples.get('server/applications.ts') ?? '';
  await writeFile(registry, text.replace('  platform: async', `${entry}  platform: async`));
  await mkdir(path.join(checkout, 'metadata'));
  await writeFile(path.join(checkout, 'metadata/rowgate.yaml'), 'application: shop\n');
});
afterAll(removeFolders);

/** Makes the compiler check only the given files. `npm run check` checks the others. */
async function checkOnly(files: readonly string[]): Promise<void> {
  for await (const file of glob('{permissions,server}/**/*.ts', { cwd: checkout })) {
    if (files.includes(file)) continue;
    const copy = path.join(checkout, file);
    await writeFile(copy, `// @ts-nocheck\n${await readFile(copy, 'utf8')}`);
  }
}

test('the example application of docs/contributing/applications.md compiles against the interface of applications', async () => {
  const files = ['server/shop/open-shop.ts', 'server/applications.ts'];
  await checkOnly(files);
  const config = { extends: './tsconfig.json', include: [], files };
  await writeFile(path.join(checkout, 'tsconfig.guide.json'), JSON.stringify(config));
  const compiler = path.join(root, 'node_modules/.bin/tsc');
  // Each further checker would resolve the types of the libraries again.
  const options = ['--project', 'tsconfig.guide.json', '--checkers', '1'];
  const { stdout } = await run(compiler, options, { cwd: checkout });
  expect(stdout).toBe('');
});

test('the example application of the guide adds a command that prints its setting', async () => {
  const env = {
    ...compileCache(),
    DATABASE_URL: 'postgres://nobody@127.0.0.1:9/none',
    ROWGATE_SHOP_CURRENCY: 'USD',
  };
  const rowgate = [path.join(checkout, 'bin/rowgate.js'), 'shop', 'currency'];
  const { stdout, stderr } = await run(process.execPath, rowgate, { cwd: checkout, env });
  expect([stdout, stderr]).toEqual(['USD\n', '']);
});
