import pg from 'pg';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { withLogin } from '../../../server/db/url.ts';
import { writeMetadata } from '../../permissions/support/metadata-files.ts';
import { runCommand } from '../../support/command-line.ts';
import { makeDataFolder, removeFolders } from '../../support/data-folder.ts';
import { createDatabase, type TestDatabase } from '../../support/database.ts';
import type { Finished } from '../../support/rowgate.ts';

const password = 'of a test';

let database: TestDatabase;
let superuser: pg.Client;
/** The owner of the table, with every right that commands need. Each test takes one away. */
let login: string;
let environment: Record<string, string>;
let metadata: string;

beforeEach(async () => {
  database = await createDatabase();
  superuser = await database.connectSuperuser();
  login = `owner of ${database.name}`;
  await superuser.query(`create role ${me()} login createrole password '${password}'`);
  await superuser.query(`grant create, connect on database ${database.name} to ${me()}`);
  await superuser.query(
    `create table note (id int primary key); alter table note owner to ${me()}`,
  );
  metadata = await writeMetadata({
    'roles.yaml': 'roles: { reader: {} }\n',
    'tables/note.yaml':
      'table: note\npermissions: { reader: { select: { filter: {}, columns: [id] } } }\n',
  });
  environment = {
    DATABASE_URL: withLogin(database.ownerUrl, login, password),
    ROWGATE_DATA_DIR: await makeDataFolder(),
  };
});
afterEach(async () => {
  await database.drop();
  await removeFolders();
});

const me = () => pg.escapeIdentifier(login);

/** Runs a command with the metadata of the test. */
const run = (...args: string[]): Promise<Finished> =>
  runCommand([...args, '--metadata', metadata], environment);

/** Runs the statements that a command printed, as the superuser, and returns them. */
async function repair(output: string): Promise<readonly string[]> {
  const statements = output.split('\n').flatMap((line) => /^ +(.*;)$/.exec(line)?.[1] ?? []);
  for (const statement of statements) await superuser.query(statement);
  return statements;
}

test.each(['check', 'plan', 'apply'])(
  '%s lists what its login lacks for apply',
  async (command) => {
    await superuser.query(`alter role ${me()} nocreaterole`);
    await superuser.query(`revoke create on database ${database.name} from ${me()}`);
    const refused = await run(command);
    expect(refused.code).toBe(1);
    expect(refused.stderr).toContain(
      `RG_NOT_OWNER login "${login}" may not create and change roles`,
    );
    expect(await repair(refused.stderr)).toEqual([
      `grant create on database "${database.name}" to ${me()};`,
      `alter role ${me()} createrole;`,
    ]);
    expect((await run('apply', '--yes')).stderr).toBe('');
  },
);

test('check --json gives the statements of each finding', async () => {
  await superuser.query(`alter role ${me()} nocreaterole`);
  const { stdout } = await run('check', '--json');
  expect(JSON.parse(stdout).findings).toContainEqual({
    code: 'RG_NOT_OWNER',
    severity: 'error',
    message: `login "${login}" may not create and change roles (CREATEROLE)`,
    statements: [`alter role ${me()} createrole`],
  });
});

test('plan --json lists the locks', async () => {
  const { stdout } = await run('plan', '--json');
  expect(JSON.parse(stdout).locks).toEqual({
    tables: [{ schema: 'public', name: 'note', mode: 'access exclusive' }],
    lockTimeoutMs: 500,
    attempts: 40,
    heldSeconds: 60,
  });
});

test('plan names the locks and the time for which apply holds them', async () => {
  const { stdout } = await run('plan');
  expect(stdout).toContain(
    'until it commits, apply blocks reads and writes (access exclusive): public.note\n' +
      'it waits at most 0.5 s for each lock, then lets all go and tries again, 40 times in all\n' +
      'it holds them for at most 60 s (--lock-seconds), or changes nothing\n',
  );
});

test('migrate without CREATE on the database prints the grant', async () => {
  await superuser.query(`revoke create on database ${database.name} from ${me()}`);
  const refused = await run('migrate');
  expect(refused).toMatchObject({ code: 1, stdout: '' });
  expect(await repair(refused.stderr)).toEqual([
    `grant create on database "${database.name}" to ${me()};`,
  ]);
  expect((await run('migrate')).code).toBe(0);
});

test('login create without CREATEROLE prints the statement that gives it', async () => {
  await run('apply', '--yes');
  await superuser.query(`alter role ${me()} nocreaterole`);
  const create = ['login', 'create', `ann_${database.name}`, '--role', 'reader'];
  const refused = await run(...create);
  expect(refused.stderr).toContain(`RG_NOT_OWNER login "${login}" may not do this in database`);
  expect(await repair(refused.stderr)).toContain(`alter role ${me()} createrole;`);
  expect((await run(...create)).code).toBe(0);
  await run('login', 'drop', `ann_${database.name}`);
});

test.each([
  'drift --metadata METADATA',
  'plan --metadata METADATA',
  'uninstall --yes',
  'login list',
  'events list',
])(
  '%s as another login than the one that applied prints how it becomes the owner',
  async (command) => {
    await run('migrate');
    await run('apply', '--yes');
    const other = `other of ${database.name}`;
    await superuser.query(`create role "${other}" login createrole password '${password}'`);
    environment.DATABASE_URL = withLogin(database.ownerUrl, other, password);
    const again = () => runCommand(command.replace('METADATA', metadata).split(' '), environment);
    const refused = await again();
    expect(refused.stderr).toContain(`login "${other}" may not`);
    expect(await repair(refused.stderr)).toEqual([
      expect.stringMatching(`^grant ${me()} to "${other}"( with inherit true, set false)?;$`),
    ]);
    expect((await again()).code).toBe(0);
  },
);

test('a login without CONNECT on the database gets the grant', async () => {
  await superuser.query(`revoke connect on database ${database.name} from public, ${me()}`);
  const refused = await run('check');
  expect(refused.code).toBe(4);
  const [statement = ''] = /grant connect .*;/.exec(refused.stderr) ?? [];
  expect(statement).toBe(`grant connect on database "${database.name}" to ${me()};`);
  await superuser.query(statement);
  expect((await run('check')).code).toBe(0);
});
