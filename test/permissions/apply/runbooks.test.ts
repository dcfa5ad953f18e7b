import { execFile, execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { chmod, mkdir, symlink, writeFile } from 'node:fs/promises';
import type { Server } from 'node:net';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, inject, test } from 'vitest';
import { withDatabase } from '../../../server/db/url.ts';
import { serveCommands } from '../../repository/documentation/command-server.ts';
import { makeDataFolder, removeFolders } from '../../support/data-folder.ts';
import { createDatabase, type TestDatabase } from '../../support/database.ts';
import { query } from '../../support/query.ts';
import { compileCache } from '../../support/rowgate.ts';
import { asSuperuser } from '../../support/superuser.ts';

const commandClient = path.resolve(
  import.meta.dirname,
  '../../repository/documentation/command-client.ts',
);

// Executes docs/deployment/backup-and-restore.md and docs/deployment/upgrade-and-rollback.md.
const backup = readRunbook('backup-and-restore.md');
const upgrade = readRunbook('upgrade-and-rollback.md');

/** Finds a shell block of a page by its heading and its place below the heading, among the blocks marked for this file. */
function readRunbook(name: string): (heading: string, place?: number) => string {
  const file = path.resolve(import.meta.dirname, '../../../docs/deployment', name);
  const sections = readFileSync(file, 'utf8').split(/^## /m);
  return (heading, place = 0) => {
    const section = sections.find((one) => one.startsWith(`${heading}\n`)) ?? '';
    const blocks = section.matchAll(/<!-- run by \S*runbooks\.test\.ts -->\n```sh\n([^`]*)```/g);
    const block = [...blocks][place]?.[1];
    if (block === undefined) throw new Error(`${name} has no block ${place} below "${heading}"`);
    return block;
  };
}

/** Returns the major version of a client program, or 0 where it is not installed. */
function versionOf(tool: string): number {
  try {
    return Number(/ (\d+)/.exec(execFileSync(tool, ['--version'], { encoding: 'utf8' }))?.[1]);
  } catch {
    return 0;
  }
}

const hasTools = versionOf('createdb') > 0;
const canDump = () =>
  versionOf('pg_dump') * 10_000 >= Math.floor(inject('serverVersion') / 10_000) * 10_000;

let database: TestDatabase;
let folder: string;
let commands: Server;
let environment: Record<string, string>;

beforeEach(async () => {
  database = await createDatabase();
  folder = await makeDataFolder();
  await mkdir(path.join(folder, 'bin'));
  const shim = path.join(folder, 'bin/rowgate');
  const socket = path.join(folder, '.commands');
  commands = await serveCommands(socket);
  await writeFile(shim, `#!/bin/sh\nexec ${process.execPath} ${commandClient} ${socket} "$@"\n`);
  await chmod(shim, 0o755);
  await symlink(
    path.resolve(import.meta.dirname, '../../../node_modules'),
    path.join(folder, 'node_modules'),
  );
  await mkdir(path.join(folder, 'metadata/tables'), { recursive: true });
  await writeFile(path.join(folder, 'metadata/roles.yaml'), 'roles: { reader: {} }\n');
  await writeFile(
    path.join(folder, 'metadata/tables/note.yaml'),
    'table: note\npermissions: { reader: { select: { filter: { open: { _eq: true } }, columns: [id, body] } } }\n',
  );
  await query(
    database.ownerUrl,
    'create table note (id integer primary key, body text, open boolean)',
    `insert into note values (1, 'seen', true), (2, 'hidden', false)`,
  );
  const superuser = new URL(database.superuserUrl);
  environment = {
    ...compileCache(),
    PATH: `${folder}/bin:${process.env.PATH}`,
    PGHOST: superuser.hostname,
    PGPORT: superuser.port,
    PGUSER: decodeURIComponent(superuser.username),
    PGPASSWORD: decodeURIComponent(superuser.password),
    DATABASE_URL: database.ownerUrl,
    ROWGATE_DATA_DIR: path.join(folder, '.rowgate'),
    ROWGATE_ADMIN_SECRET: 'a'.repeat(40),
    ROWGATE_PLATFORM_ADMIN_SECRET: 'c'.repeat(40),
  };
  await run('rowgate migrate\nrowgate apply --yes\n');
});

afterEach(async () => {
  commands.close();
  for (const name of ['_restored', '_before', '_failed']) {
    await asSuperuser(`drop database if exists ${database.name}${name} with (force)`);
  }
  await removeFolders();
  await database.drop();
});

interface Shown {
  readonly code: number;
  readonly output: string;
}

/** Runs a block of a page, with the names of the page replaced by the names of the test's database and owner. */
async function run(block: string): Promise<Shown> {
  const script = block
    .replace(/^export DATABASE_URL=.*$/m, () => {
      environment.DATABASE_URL = withDatabase(database.ownerUrl, `${database.name}_restored`);
      return '';
    })
    .replaceAll('app_owner', 'rowgate_owner')
    .replaceAll(/\bapp(?=\b|_)(?!\.dump)/g, database.name)
    .replaceAll('rowgate plan --sql', 'rowgate plan --sql || [ $? = 1 ]');
  return promisify(execFile)('sh', ['-euc', script], { cwd: folder, env: environment }).then(
    ({ stdout, stderr }) => ({ code: 0, output: stdout + stderr }),
    (error: { code: number; stdout: string; stderr: string }) => ({
      code: error.code,
      output: error.stdout + error.stderr,
    }),
  );
}

const good = (output: string) => ({ code: 0, output: expect.stringContaining(output) });

/** Returns the rows that the role "reader" of the test's database sees in the database `name`. */
async function seen(name: string): Promise<readonly unknown[]> {
  const url = withDatabase(database.superuserUrl, name);
  return query(url, 'begin', `set role rowgate_${name}_reader`, 'select body from note');
}

async function restoredIsMadeSafe(): Promise<void> {
  const found = await run(backup('Restore under another name', 1));
  expect(found.code).toBe(1);
  expect(found.output).toContain(
    `select on table public.note (body, id) of rowgate_${database.name}_reader is still held`,
  );
  expect(found.output).toContain(`of rowgate_${database.name}_sidecar_login is still held`);
  expect(await run(backup('Restore under another name', 2))).toEqual(good('no drift\n'));
  expect(await seen(`${database.name}_restored`)).toEqual([{ body: 'seen' }]);
  expect(await run(backup('Remove one of both'))).toEqual(good('removed 5 roles'));
  environment.DATABASE_URL = database.ownerUrl;
  expect(await run('rowgate drift')).toEqual(good('no drift\n'));
}

describe.skipIf(!hasTools && process.env.CI !== 'true')(
  'the shell commands of the backup and upgrade guides (run only where createdb and pg_dump are installed)',
  () => {
    test.skipIf(!canDump())(
      'restore a dump under another name without drift and remove it again, by pg_dump',
      async () => {
        expect(await run(backup('Back up'))).toEqual(good(''));
        expect(await run(backup('Restore under another name', 0))).toEqual(good(''));
        await restoredIsMadeSafe();
      },
    );

    test.skipIf(!canDump())(
      'restore a dump under the same name with its rows and without drift, by pg_dump',
      async () => {
        await run(backup('Back up'));
        const { name } = database;
        await query(database.ownerUrl, `delete from note`);
        expect(await run(backup('Restore under the same name'))).toEqual(good('no drift\n'));
        expect(await seen(name)).toEqual([{ body: 'seen' }]);
      },
    );

    test('copy a database inside its cluster and make the copy safe, by a template database', async () => {
      expect(await run(backup('Copy a database in its cluster'))).toEqual(good(''));
      await restoredIsMadeSafe();
    });

    test('roll a failed upgrade back to the copy made before it, by a template database', async () => {
      expect(await run(upgrade('Upgrade', 0))).toEqual(good(''));
      expect(await run(upgrade('Upgrade', 1))).toEqual(good('no drift\n'));
      await query(
        database.ownerUrl,
        `insert into rowgate.migration (scope, name, checksum) values ('gateway', '9999_newer.sql', 'of a newer version')`,
      );
      const refused = await run('rowgate apply --yes');
      expect(refused).toMatchObject({ code: 1, output: expect.stringContaining('RG_MIGRATION') });
      expect(await run(upgrade('Roll back'))).toEqual(good('no drift\n'));
      expect(await seen(database.name)).toEqual([{ body: 'seen' }]);
    });
  },
);
