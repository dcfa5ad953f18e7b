import { spawn } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, inject, onTestFinished, test } from 'vitest';
import { withLogin } from '../../../server/db/url.ts';
import { runCommand } from '../../support/command-line.ts';
import { createDatabase, type TestDatabase } from '../../support/database.ts';
import { query } from '../../support/query.ts';
import { program, runRowgate } from '../../support/rowgate.ts';

let database: TestDatabase;
let folder: string;
let environment: Record<string, string>;
let login: string;

beforeAll(async () => {
  database = await createDatabase({ from: 'platform' });
  folder = await mkdtemp(path.join(inject('scratch'), 'operator-'));
  environment = { DATABASE_URL: database.ownerUrl, ROWGATE_DATA_DIR: folder };
  login = `alice_${database.name}`;
  expect((await runCommand(['apply', '--yes'], environment)).code).toBe(0);
});
afterAll(async () => {
  await runCommand(['uninstall', '--yes'], environment);
  await database.drop();
  await rm(folder, { recursive: true });
});

const run = (...args: string[]) => runCommand(args, environment);

describe('rowgate drift', () => {
  test('exits with 0 when the database matches the rules', async () => {
    const quiet = { code: 0, stdout: 'no drift\n', stderr: '' };
    expect(await runRowgate(['drift'], environment)).toEqual(quiet);
  });

  test('exits with 1 when the database differs, and prints the differences by kind, as JSON, and with the SQL of apply', async () => {
    await query(
      database.superuserUrl,
      'alter table public.invoice disable row level security',
      'alter policy "rowgate/investor/select" on public.fund using (true)',
    );
    const people = await run('drift', '--sql');
    const programs = await run('drift', '--json');
    const applied = await run('apply', '--yes');
    const after = await run('drift');
    expect(people.code).toBe(1);
    expect(people.stdout).toMatch(
      /^row security:\n {2}row security on public\.invoice is off\npolicies:\n {2}policy rowgate\/investor\/select on public\.fund was altered\napply would run:\n/,
    );
    expect(people.stdout).toContain(
      '  alter table "public"."invoice" enable row level security;\n',
    );
    expect(people.stdout).toMatch(
      /\n2 differences from what was applied; rowgate apply puts right what it can\n$/,
    );
    expect(programs.code).toBe(1);
    expect(JSON.parse(programs.stdout)).toMatchObject({
      drifted: true,
      applied: true,
      current: true,
      pending: 0,
      differences: [
        { kind: 'row security', what: 'missing' },
        { kind: 'policy', what: 'altered' },
      ],
    });
    expect([applied.code, after.code]).toEqual([0, 0]);
  });

  test('exits with 4 when the database cannot be reached', async () => {
    const away = { ...environment, DATABASE_URL: 'postgres://me:hunter2@127.0.0.1:1/app' };
    const { code, stderr } = await runCommand(['drift'], away);
    expect([code, stderr]).toEqual([4, expect.not.stringContaining('hunter2')]);
  });
});

test('rowgate check needs no database when it reads the catalog from a file', async () => {
  const file = path.join(folder, 'catalog.json');
  const written = await run('catalog', '--out', file);
  const printed = await run('catalog');
  const away = {
    ROWGATE_DATA_DIR: path.join(folder, 'none'),
    DATABASE_URL: 'postgres://x@127.0.0.1:1/x',
  };
  const checked = await runCommand(['check', '--catalog', file, '--json'], away);
  const refused = await runCommand(['check', '--catalog', 'package.json'], away);
  expect(written).toEqual({ code: 0, stdout: '', stderr: '' });
  expect(printed.stdout).toBe(await readFile(file, 'utf8'));
  expect([checked.code, checked.stderr]).toEqual([0, '']);
  expect(JSON.parse(checked.stdout).findings.length).toBeGreaterThan(0);
  expect(refused).toMatchObject({ code: 2, stdout: '' });
  expect(refused.stderr).toContain(
    'rowgate: RG_CATALOG package.json cannot be used: it is no catalog of rowgate',
  );
});

test.each(['plan', 'apply'])(
  '%s does not accept a catalog file, because it needs the real database',
  async (command) => {
    const { code, stderr } = await run(command, '--catalog', 'x');
    expect([code, stderr]).toEqual([2, expect.stringContaining("Unknown option '--catalog'")]);
  },
);

const variables = ['--var', 'X-Gql-Organization-Id=00000000-0000-4000-8000-000000000001'];

describe('rowgate login', () => {
  test('creates a login that works, prints its password once, lists the login and drops it', async () => {
    const create = ['login', 'create', login, '--role', 'organization_member', ...variables];
    const made = await run(...create, '--connection-limit', '3', '--statement-timeout', '5min');
    const again = await run(...create);
    const listed = await run('login', 'list');
    const password = made.stdout.trim();
    const client = new pg.Client({
      connectionString: withLogin(database.ownerUrl, login, password),
    });
    await client.connect();
    const { rows } = await client.query(
      'select distinct organization_id from public.digital_wallet',
    );
    await client.end();
    const dropped = await run('login', 'drop', login);
    const none = await run('login', 'list', '--json');
    expect([made.code, password]).toEqual([0, expect.stringMatching(/^[\w-]{32}$/)]);
    expect(made.stderr).toContain(
      `made login ${login} with the rights of role organization_member`,
    );
    expect(made.stderr).toContain("planner estimates (explain … where title = '…') reveal to it");
    expect(rows).toEqual([{ organization_id: '00000000-0000-4000-8000-000000000001' }]);
    expect([again.code, again.stderr]).toEqual([
      1,
      expect.stringContaining(`rowgate login drop ${login}`),
    ]);
    expect(listed.stdout).toBe(
      `${login}  organization_member  x-gql-organization-id=00000000-0000-4000-8000-000000000001  connection-limit=3  statement-timeout=5min  idle-in-transaction-timeout=60s\n`,
    );
    expect(dropped).toEqual({ code: 0, stdout: `removed login ${login}\n`, stderr: '' });
    expect(JSON.parse(none.stdout)).toEqual({ logins: [] });
  });

  test('reads the password from standard input', async () => {
    onTestFinished(async () => void (await run('login', 'drop', login)));
    const args = [
      'login',
      'create',
      login,
      '--role',
      'organization_member',
      ...variables,
      '--password-stdin',
    ];
    const child = spawn(process.execPath, [program, ...args], {
      env: environment,
      cwd: path.dirname(path.dirname(program)),
    });
    child.stdin.end('a password of mine\n');
    expect(await text(child.stdout)).toBe('');
    const url = withLogin(database.ownerUrl, login, 'a password of mine');
    expect(await query(url, 'select current_user::text as me')).toEqual([{ me: login }]);
  });

  test.each([
    ['without a role', ['login', 'create', 'x'], 'RG_USAGE login create lacks --role'],
    ['without a name', ['login', 'create'], 'RG_USAGE login create lacks <name>'],
    ['with two names', ['login', 'drop', 'x', 'y'], 'login drop takes no argument "y"'],
    [
      'with an unknown role',
      ['login', 'create', 'x', '--role', 'invester'],
      'did you mean "investor"?',
    ],
    [
      'without a required variable',
      ['login', 'create', 'x', '--role', 'organization_member'],
      'role organization_member requires x-gql-organization-id',
    ],
    [
      'with a reserved name',
      ['login', 'create', 'pg_x', '--role', 'admin'],
      'a login cannot be called "pg_x"',
    ],
    [
      'with a limit of zero',
      ['login', 'create', 'x', '--role', 'admin', '--connection-limit', '0'],
      '--connection-limit is "0"; it must be a number from 1 to 10000, or none',
    ],
    [
      'with a time without unit',
      ['login', 'create', 'x', '--role', 'admin', '--idle-in-transaction-timeout', '60'],
      '--idle-in-transaction-timeout is "60"; it must be a time of at most 24 days',
    ],
    ['with an unknown subcommand', ['login', 'crate'], 'did you mean "login create"?'],
  ])('%s exits with 2', async (_name, args, problem) => {
    const { code, stderr } = await run(...args);
    expect([code, stderr]).toEqual([2, expect.stringContaining(problem)]);
  });
});

describe('rowgate help', () => {
  test('for the first word of several commands (such as "login") lists these commands', async () => {
    const { code, stdout } = await run('login', '--help');
    expect(code).toBe(0);
    expect(stdout).toMatch(
      /^ {2}login create {2}\S.*\n {2}login list {4}\S.*\n {2}login drop {4}\S/m,
    );
  });

  test('for a command of two words shows its arguments', async () => {
    const { code, stdout } = await run('help', 'login', 'create');
    expect(code).toBe(0);
    expect(stdout).toContain(
      'Usage: rowgate login create <name> [options]\n\n  <name>  name of the login\n',
    );
  });
});
