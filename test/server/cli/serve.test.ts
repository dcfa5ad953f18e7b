import { execFile, spawnSync } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { withLogin } from '../../../server/db/url.ts';
import { makeDataFolder, removeFolders } from '../../support/data-folder.ts';
import { createDatabase, type TestDatabase } from '../../support/database.ts';
import { endPrograms } from '../../support/program.ts';
import { runRowgate, serveRowgate, vacantPort } from '../../support/rowgate.ts';

const execute = promisify(execFile);
const hasCurl = spawnSync('curl', ['--version']).status === 0;
const adminSecret = 'a'.repeat(40);
const secrets = {
  ROWGATE_ADMIN_SECRET: adminSecret,
  ROWGATE_SECRET_KEY: 's'.repeat(40),
  ROWGATE_PLATFORM_ADMIN_SECRET: 'p'.repeat(40),
};

let database: TestDatabase;
let environment: Record<string, string>;

beforeAll(async () => {
  database = await createDatabase({ from: 'platform' });
  environment = await environmentOf(database);
  await runRowgate(['migrate'], environment);
  await runRowgate(['apply', '--yes'], environment);
});

afterEach(endPrograms);

afterAll(async () => {
  await database.drop();
  await removeFolders();
});

async function environmentOf({ ownerUrl }: TestDatabase): Promise<Record<string, string>> {
  return {
    DATABASE_URL: ownerUrl,
    ROWGATE_DATA_DIR: await makeDataFolder(),
    ...secrets,
  };
}

function ask(url: string, query: string): Promise<Response> {
  return fetch(`${url}/v1/graphql`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', 'X-Gql-Admin-Secret': adminSecret },
    body: JSON.stringify({ query }),
  });
}

describe('an applied database', () => {
  test('is served, and SIGTERM ends that with 0', async () => {
    const served = await serveRowgate(environment);
    const answer = await ask(served.url, '{ organization(order_by: {name: asc}) { name } }');
    expect(await answer.json()).toEqual({
      data: {
        organization: [
          { name: 'Alder Capital' },
          { name: 'Birch Family Office' },
          { name: 'Cedar Markets' },
          { name: 'Dogwood Partners' },
        ],
      },
    });
    expect(await served.end()).toBe(0);
  });

  test('is served until Ctrl-C', async () => {
    const served = await serveRowgate(environment);
    expect(await served.end('SIGINT')).toBe(0);
  });

  test.runIf(hasCurl)('is announced with a command that works as it is printed', async () => {
    const served = await serveRowgate(environment);
    const [, command = ''] = served.stderr().split('Try it:\n');
    const env = { PATH: process.env.PATH, ROWGATE_ADMIN_SECRET: adminSecret };
    const { stdout } = await execute('sh', ['-c', command], { env });
    expect(JSON.parse(stdout)).toMatchObject({ data: { __schema: expect.anything() } });
  });
});

describe('a gateway with logins of its own', () => {
  test('serves without knowing the owner', async () => {
    const superuser = await database.connectSuperuser();
    const makeLogin = async (login: string) => {
      await superuser.query(`create role ${login} login noinherit password 'of-its-own'`);
      return withLogin(database.ownerUrl, login, 'of-its-own');
    };
    const gateway = {
      ROWGATE_GATEWAY_DATABASE_URL: await makeLogin(`gate_${database.name}`),
      ROWGATE_SIDECAR_DATABASE_URL: await makeLogin(`side_${database.name}`),
    };
    await runRowgate(['migrate'], { ...environment, ...gateway });
    const applied = await runRowgate(['apply', '--yes'], { ...environment, ...gateway });
    expect(applied).toMatchObject({ code: 0 });
    const served = await serveRowgate({ ...secrets, ...gateway });
    const answer = await ask(served.url, '{ organization_aggregate { aggregate { count } } }');
    expect(await answer.json()).toMatchObject({ data: expect.anything() });
    expect(await (await fetch(`${served.url}/readyz`)).json()).toMatchObject({ status: 'ready' });
    await runRowgate(['apply', '--yes'], environment);
  });
});

describe('SIGTERM', () => {
  test('lets a running request finish and takes no new one', async () => {
    const served = await serveRowgate(environment);
    const blocker = await database.connectSuperuser();
    await blocker.query('begin; lock table public.organization in access exclusive mode');
    const running = ask(served.url, '{ organization_aggregate { aggregate { count } } }');
    await untilBlocked(database);
    const ended = served.end();
    await untilRefused(served.url);
    await blocker.query('commit');
    const answer = await running;
    expect(await answer.json()).toEqual({
      data: { organization_aggregate: { aggregate: { count: 4 } } },
    });
    expect(await ended).toBe(0);
  });
});

async function untilBlocked({ connectSuperuser }: TestDatabase): Promise<void> {
  const superuser = await connectSuperuser();
  for (;;) {
    const { rowCount } = await superuser.query(
      `select from pg_stat_activity
       where datname = current_database() and wait_event_type = 'Lock'`,
    );
    if (rowCount === 1) return;
  }
}

async function untilRefused(url: string): Promise<void> {
  const refused = await fetch(`${url}/healthz`, { headers: { Connection: 'close' } }).then(
    () => false,
    () => true,
  );
  if (!refused) await untilRefused(url);
}

describe('a start that cannot succeed', () => {
  test('on a taken port ends with 1 and leaves the other server alone', async () => {
    const served = await serveRowgate(environment);
    const PORT = new URL(served.url).port;
    const second = await runRowgate(['serve'], { ...environment, PORT });
    expect(second.code).toBe(1);
    expect(second.stderr).toBe(
      `rowgate: RG_LISTEN cannot listen on 127.0.0.1:${PORT}: another program listens there\n` +
        '  stop the other program, or set PORT (and HOST) to something else\n',
    );
    expect((await fetch(`${served.url}/healthz`)).status).toBe(200);
  });

  test('without a database server ends with 4 and names host and port, not the password', async () => {
    const port = await vacantPort();
    const url = `postgres://me:hunter2@127.0.0.1:${port}/app`;
    const { code, stderr } = await runRowgate(['serve'], {
      ...environment,
      DATABASE_URL: url,
      PORT: String(await vacantPort()),
    });
    expect(code).toBe(4);
    expect(stderr).toContain(`cannot connect to database "app" at 127.0.0.1:${port}`);
    expect(stderr).not.toContain('hunter2');
  });

  test('without an admin secret for a given database ends with 2', async () => {
    const { ROWGATE_ADMIN_SECRET: _, ...rest } = environment;
    const { code, stderr } = await runRowgate(['serve'], rest);
    expect([code, stderr]).toEqual([
      2,
      'rowgate: RG_CONFIG ROWGATE_ADMIN_SECRET is not set\n' +
        '  set it to at least 32 random characters, e.g. of: openssl rand -hex 32\n',
    ]);
  });

  test('without a secret key for a given database of the platform ends with 2', async () => {
    const { ROWGATE_SECRET_KEY: _, ...rest } = environment;
    const PORT = String(await vacantPort());
    const { code, stderr } = await runRowgate(['serve'], { ...rest, PORT });
    expect([code, stderr]).toEqual([
      2,
      expect.stringContaining('RG_CONFIG ROWGATE_SECRET_KEY is not set'),
    ]);
  });

  test('with mistakes in the metadata ends with 1 and tells their places', async () => {
    const folder = await makeDataFolder();
    await mkdir(path.join(folder, 'tables'));
    await writeFile(path.join(folder, 'roles.yaml'), 'roles: { user: { group: a, purpose: b } }\n');
    await writeFile(path.join(folder, 'tables/wrong.yaml'), 'table: nowhere\npermissions: {}\n');
    const PORT = String(await vacantPort());
    const { code, stderr } = await runRowgate(['serve', '--metadata', folder], {
      ...environment,
      PORT,
    });
    expect(code).toBe(1);
    expect(stderr).toContain(`${folder}/tables/wrong.yaml:1:8 RG_UNKNOWN_TABLE`);
  });

  test('without the metadata folder ends with 2', async () => {
    const { code, stderr } = await runRowgate(['serve', '--metadata', '/nowhere'], {
      ...environment,
      PORT: String(await vacantPort()),
    });
    expect([code, stderr]).toEqual([2, expect.stringContaining('RG_FILE_UNREADABLE')]);
  });
});

describe('a database that is not prepared', () => {
  let empty: TestDatabase;
  let bare: Record<string, string>;

  beforeAll(async () => {
    empty = await createDatabase();
    bare = { ...(await environmentOf(empty)), PORT: String(await vacantPort()) };
  });

  afterAll(() => empty.drop());

  test('is refused with the command that prepares it', async () => {
    const { code, stderr } = await runRowgate(['serve'], bare);
    expect(code).toBe(1);
    expect(stderr).toBe(
      'rowgate: RG_NOT_PREPARED nothing was applied to this database yet\n' +
        '  run `rowgate apply` first\n',
    );
  });
});

describe('tables of one’s own', () => {
  let own: TestDatabase;
  let theirs: Record<string, string>;
  let metadata: string;

  beforeAll(async () => {
    own = await createDatabase();
    theirs = await environmentOf(own);
    const owner = await own.connectOwner();
    await owner.query(
      "create table pet (id int primary key, name text); insert into pet values (1, 'Rex')",
    );
    metadata = await makeDataFolder();
    await mkdir(path.join(metadata, 'tables'));
    await writeFile(
      path.join(metadata, 'roles.yaml'),
      'roles: { keeper: { group: a, purpose: b } }\n',
    );
    await writeFile(
      path.join(metadata, 'tables/pet.yaml'),
      'table: pet\npermissions:\n  keeper:\n    select: { filter: {}, columns: [name] }\n',
    );
    await runRowgate(['apply', '--yes', '--metadata', metadata], theirs);
  });

  afterAll(() => own.drop());

  test('are served with --only graphql', async () => {
    const served = await serveRowgate(theirs, ['--metadata', metadata, '--only', 'graphql']);
    const answer = await ask(served.url, '{ pet { id name } }');
    expect(await answer.json()).toEqual({ data: { pet: [{ id: 1, name: 'Rex' }] } });
  });

  test('are refused without it, since the platform is missing', async () => {
    const { code, stderr } = await runRowgate(['serve', '--metadata', metadata], {
      ...theirs,
      PORT: String(await vacantPort()),
    });
    expect([code, stderr]).toEqual([1, expect.stringContaining('`--only graphql`')]);
  });

  test('are refused where the gateway login has another password', async () => {
    const { code, stderr } = await runRowgate(
      ['serve', '--metadata', metadata, '--only', 'graphql'],
      { ...theirs, ROWGATE_DATA_DIR: await makeDataFolder(), PORT: String(await vacantPort()) },
    );
    expect([code, stderr]).toEqual([
      1,
      expect.stringContaining('run `rowgate apply` with the same ROWGATE_DATA_DIR'),
    ]);
  });
});
