import { mkdtemp } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { parseApiKey } from '../../../../server/auth/api-keys/api-key.ts';
import { createDatabase, type TestDatabase } from '../../../support/database.ts';
import { query } from '../../../support/query.ts';
import { runRowgate } from '../../../support/rowgate.ts';

let database: TestDatabase;
let run: (...args: readonly string[]) => ReturnType<typeof runRowgate>;

beforeAll(async () => {
  database = await createDatabase({ from: 'platform' });
  const environment = {
    DATABASE_URL: database.ownerUrl,
    ROWGATE_DATA_DIR: await mkdtemp(path.join(inject('scratch'), 'keys-')),
  };
  run = (...args) => runRowgate(['api-key', ...args], environment);
});
afterAll(() => database.drop());

const alder = '00000000-0000-4000-8000-000000000001';

test('create prints the key alone, list tells everything but the key, revoke ends it', async () => {
  const limits = ['--role', 'auditor', '--organization', alder, '--expires-in', '90d'];
  const scopes = ['--scope', 'sdk:kyc', '--scope', 'sdk:workflow', '--scope', 'sdk:kyc'];
  const made = await run('create', '--name', 'Käse bot', ...scopes, ...limits);
  expect([made.code, made.stdout]).toEqual([
    0,
    expect.stringMatching(/^rg_[0-9a-f]{12}_[\w-]{43}\n$/),
  ]);
  const { id, secret } = parseApiKey(made.stdout.trim()) ?? { id: '', secret: '' };
  expect(made.stderr).toContain(`made API key ${id} "Käse bot" for sdk:workflow, sdk:kyc, until 2`);
  const [people, programs] = [await run('list'), await run('list', '--json')];
  expect(people.stdout).toMatch(
    new RegExp(
      `^${id} {2}Käse bot {2}sdk:workflow\\+sdk:kyc {2}role auditor {2}organization ${alder} {2}made \\S+Z {2}never used {2}expires \\S+Z\n$`,
    ),
  );
  const [listed] = JSON.parse(programs.stdout).keys;
  expect(listed).toMatchObject({ id, role: 'auditor', organizationId: alder, revokedAt: null });
  const days = (Date.parse(listed.expiresAt) - Date.parse(listed.createdAt)) / 86_400_000;
  expect(days).toBeCloseTo(90, 2);
  const stored = await query(database.superuserUrl, 'select k::text from rowgate_auth.api_key k');
  expect(made.stderr + people.stdout + programs.stdout + JSON.stringify(stored)).not.toContain(
    secret,
  );
  expect((await run('revoke', id)).stdout).toBe(`revoked API key ${id}\n`);
  expect((await run('revoke', id)).stdout).toBe(`API key ${id} was revoked before\n`);
  expect((await run('list')).stdout).toContain('  revoked 2');
});

describe('create refuses', () => {
  const scope = ['--scope', 'admin'];
  const named = ['--name', 'x', ...scope];
  test.each([
    ['a key without a name', scope, 'lacks --name'],
    ['a name of two lines', ['--name', 'a\nb', ...scope], '--name must be one line'],
    ['a key without a scope', ['--name', 'x'], 'lacks --scope'],
    [
      'an unknown scope',
      ['--name', 'x', '--scope', 'sdk'],
      'there is no scope "sdk"\n  the scopes are sdk:workflow, sdk:kyc, case:read, admin',
    ],
    ['an unknown role', [...named, '--role', 'auditors'], 'did you mean "auditor"?'],
    ['the role admin', [...named, '--role', 'admin'], 'cannot have the role admin'],
    ['an organization of no id', [...named, '--organization', "' or ''='"], 'no organization'],
    ['an unknown organization', [...named, '--organization', alder.replace(/1$/, '9')], 'there is'],
    ['a lifetime of nothing', [...named, '--expires-in', '0d'], '--expires-in "0d" is not'],
  ])('%s', async (_title, args, message) => {
    const { code, stdout, stderr } = await run('create', ...args);
    expect([code, stdout, stderr]).toEqual([2, '', expect.stringContaining(message)]);
  });
});

test('revoke tells of an id that is not there, without repeating what was given', async () => {
  const { code, stderr } = await run('revoke', `rg_0123456789ab_${'x'.repeat(43)}`);
  expect([code, stderr]).toEqual([1, expect.not.stringContaining('xxx')]);
  expect(stderr).toContain('rowgate api-key list shows the ids');
});

test('a database without the tables is told what to run', async () => {
  const empty = await createDatabase();
  const { code, stderr } = await runRowgate(['api-key', 'list'], { DATABASE_URL: empty.ownerUrl });
  await empty.drop();
  expect([code, stderr]).toEqual([1, expect.stringContaining('run `rowgate migrate` first')]);
});
