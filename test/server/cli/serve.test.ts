import { execFile, spawnSync } from 'node:child_process';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { withLogin } from '../../../server/db/url.ts';
import { runCommand } from '../../support/command-line.ts';
import { removeFolders } from '../../support/data-folder.ts';
import { createDatabase, type TestDatabase } from '../../support/database.ts';
import { endPrograms } from '../../support/program.ts';
import { type Served, serveRowgate } from '../../support/rowgate.ts';
import { until } from '../../support/until.ts';
import { adminSecret, appliedEnvironment, ask, refusalOf, secrets } from './support/start.ts';

const execute = promisify(execFile);
const hasCurl = spawnSync('curl', ['--version']).status === 0;
const countOrganizations = '{ organization_aggregate { aggregate { count } } }';
const four = { data: { organization_aggregate: { aggregate: { count: 4 } } } };

afterAll(removeFolders);

// The last test ends the server.
describe('rowgate serve on a database to which the rules were applied', { shuffle: false }, () => {
  let database: TestDatabase;
  let environment: Record<string, string>;
  let served: Served;

  beforeAll(async () => {
    database = await createDatabase({ from: 'applied' });
    environment = await appliedEnvironment(database);
    served = await serveRowgate(environment);
  });
  afterAll(async () => {
    await endPrograms();
    await database.drop();
  });

  test('answers GraphQL queries', async () => {
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
  });

  test.runIf(hasCurl)('prints an example command that works', async () => {
    const [, command = ''] = served.stderr().split('Try it:\n');
    const env = { PATH: process.env.PATH, ROWGATE_ADMIN_SECRET: adminSecret };
    const { stdout } = await execute('sh', ['-c', command], { env });
    expect(JSON.parse(stdout)).toMatchObject({ data: { __schema: expect.anything() } });
  });

  test('continues when a second start on the same port fails with exit code 1', async () => {
    const PORT = new URL(served.url).port;
    expect(await refusalOf({ ...environment, PORT })).toEqual([
      1,
      `rowgate: RG_LISTEN cannot listen on 127.0.0.1:${PORT}: another program listens there\n` +
        '  stop the other program, or set PORT (and HOST) to something else',
    ]);
    expect((await fetch(`${served.url}/healthz`)).status).toBe(200);
  });

  test('finishes running requests and refuses new ones after SIGTERM, and writes the last line of the log', async () => {
    const blocker = await database.connectSuperuser();
    await blocker.query('begin; lock table public.organization in access exclusive mode');
    const running = ask(served.url, countOrganizations);
    await untilBlocked(database);
    const ended = served.end();
    await untilRefused(served.url);
    await blocker.query('commit');
    expect(await (await running).json()).toEqual(four);
    expect(await ended).toBe(0);
    expect(JSON.parse(lastLine(served.stdout()))).toMatchObject({ msg: 'stopped' });
  });
});

// The last test ends the server.
describe('rowgate serve with its own login URLs in the environment', { shuffle: false }, () => {
  let database: TestDatabase;
  let served: Served;

  beforeAll(async () => {
    database = await createDatabase({ from: 'platform' });
    const superuser = await database.connectSuperuser();
    const makeLogin = async (login: string) => {
      await superuser.query(`create role ${login} login noinherit password 'of-its-own'`);
      return withLogin(database.ownerUrl, login, 'of-its-own');
    };
    const logins = {
      ROWGATE_GATEWAY_DATABASE_URL: await makeLogin(`gate_${database.name}`),
      ROWGATE_SIDECAR_DATABASE_URL: await makeLogin(`side_${database.name}`),
    };
    const environment = { DATABASE_URL: database.ownerUrl, ...logins };
    expect(await runCommand(['migrate'], environment)).toMatchObject({ code: 0 });
    expect(await runCommand(['apply', '--yes'], environment)).toMatchObject({ code: 0 });
    served = await serveRowgate({ ...secrets, ...logins });
  });
  afterAll(async () => {
    await endPrograms();
    await database.drop();
  });

  test('starts without the URL of the database owner', async () => {
    const answer = await ask(served.url, countOrganizations);
    expect(await answer.json()).toEqual(four);
    expect(await (await fetch(`${served.url}/readyz`)).json()).toMatchObject({ status: 'ready' });
  });

  test('exits with 0 on SIGINT', async () => {
    expect(await served.end('SIGINT')).toBe(0);
  });
});

function lastLine(output: string): string {
  return output.trimEnd().split('\n').at(-1) ?? '';
}

async function untilBlocked({ connectSuperuser }: TestDatabase): Promise<void> {
  const superuser = await connectSuperuser();
  const blocked = `select from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock'`;
  await until(async () => (await superuser.query(blocked)).rowCount === 1);
}

async function untilRefused(url: string): Promise<void> {
  await until(() =>
    fetch(`${url}/healthz`, { headers: { Connection: 'close' } }).then(
      () => false,
      () => true,
    ),
  );
}
