import { mkdtemp, rm } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { runCommand } from '../../../../support/command-line.ts';
import { createDatabase, type TestDatabase } from '../../../../support/database.ts';
import { startTestServer, type TestServer } from '../../../../support/http.ts';
import { query } from '../../../../support/query.ts';
import { Browser } from '../support/browser.ts';
import { type LocalIssuer, startLocalIssuer } from '../support/local-issuer.ts';

const investor = 'local|alder-investor';
const member = 'local|alder-member';

let database: TestDatabase;
let issuer: LocalIssuer;
let server: TestServer;
let folder: string;
beforeAll(async () => {
  database = await createDatabase({ from: 'applied' });
  issuer = await startLocalIssuer();
  server = await startTestServer({
    database,
    rest: true,
    graphql: false,
    environment: issuer.environment,
  });
  folder = await mkdtemp(path.join(inject('scratch'), 'commands-'));
});
afterAll(async () => {
  await server.stop();
  await issuer.stop();
  await database.drop();
  await rm(folder, { recursive: true });
});

const run = (...args: readonly string[]) =>
  runCommand(args, { DATABASE_URL: database.ownerUrl, ROWGATE_DATA_DIR: folder });

async function signIn(subject: string, userAgent: string): Promise<Browser> {
  const browser = new Browser(server);
  await browser.exchange(await issuer.tokenFor(subject), { 'User-Agent': userAgent });
  return browser;
}

const statusOf = async (browser: Browser) => (await browser.fetch('/auth/session')).status;

describe('rowgate session', () => {
  test('lists sessions with their time and browser, but not the secret id in the cookie', async () => {
    await signIn(investor, `Phone\x9b31m ${'x'.repeat(300)}`);
    const sids = (await query(database.superuserUrl, 'select sid from rowgate_auth.session')) as {
      sid: string;
    }[];
    const [people, programs] = [
      await run('session', 'list', '--user', investor),
      await run('session', 'list', '--user', investor, '--json'),
    ];
    expect(people.stdout).toMatch(
      /^[0-9a-f]{12} {2}begun 2\S+Z {2}ends 2\S+Z {2}Phone\?31m x{190}\n$/,
    );
    expect(JSON.parse(programs.stdout).sessions).toEqual([
      {
        id: people.stdout.slice(0, 12),
        createdAt: expect.any(String),
        expiresAt: expect.any(String),
        userAgent: expect.any(String),
      },
    ]);
    expect(people.stdout + programs.stdout).not.toContain(sids[0]?.sid.slice(0, 12));
  });

  test('ends one session by its number, and all sessions of a person at once', async () => {
    const browsers = [await signIn(member, 'one'), await signIn(member, 'two')];
    const third = await signIn(member, 'three');
    const listed = await run('session', 'list', '--user', member);
    const [id = ''] = /^\S+/.exec(listed.stdout) ?? [];
    const one = await run('session', 'end', '--user', member, '--session', id.slice(0, 8));
    const after = await Promise.all(browsers.map(statusOf));
    const others = await run('session', 'end', '--user', member);
    const none = await run('session', 'list', '--user', member);
    expect([one.code, one.stdout, after]).toEqual([0, 'ended 1 session\n', [401, 200]]);
    expect([others.stdout, none.stdout]).toEqual(['ended 2 sessions\n', 'no sessions\n']);
    expect(await statusOf(third)).toBe(401);
  });

  test.each([
    ['without a user', ['session', 'list'], 2, 'session list lacks --user'],
    ['of an unknown user', ['session', 'end', '--user', 'nobody'], 1, 'there is no user "nobody"'],
    [
      'that do not exist',
      ['session', 'end', '--user', investor, '--session', 'ffffffffffff'],
      1,
      'rowgate session list',
    ],
    [
      'given by a pattern',
      ['session', 'end', '--user', investor, '--session', '%'],
      2,
      '--session must be an id',
    ],
  ])(
    'ends no session and names the problem: sessions %s',
    async (_name, args, expected, problem) => {
      const { code, stderr } = await run(...args);
      expect([code, stderr]).toEqual([expected, expect.stringContaining(problem)]);
    },
  );
});

describe('rowgate user set-admin', () => {
  const isAdmin = () =>
    query(database.superuserUrl, `select platform_admin from public."user" where id = '${member}'`);

  test('makes a user a platform admin, and takes the right away again', async () => {
    const on = await run('user', 'set-admin', member);
    const during = await isAdmin();
    const off = await run('user', 'set-admin', member, '--off');
    expect([on.stdout, during]).toEqual([
      `${member} is now an admin of the platform\n`,
      [{ platform_admin: true }],
    ]);
    expect([off.stdout, await isAdmin()]).toEqual([
      `${member} is no longer an admin of the platform\n`,
      [{ platform_admin: false }],
    ]);
  });

  test('fails for an unknown user', async () => {
    const { code, stderr } = await run('user', 'set-admin', 'nobody');
    expect([code, stderr]).toEqual([
      1,
      expect.stringMatching(/there is no user "nobody"[\s\S]*after the first sign-in/),
    ]);
  });
});
