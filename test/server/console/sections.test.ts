import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { makeLogger } from '../../../server/log/log.ts';
import { createDatabase, type TestDatabase } from '../../support/database.ts';
import { startTestServer, type TestServer } from '../../support/http.ts';
import { LogCapture } from '../../support/log-capture.ts';
import { query } from '../../support/query.ts';
import { storeKey } from '../platform/accounts/api-keys/stored-key.ts';
import { Browser } from '../platform/accounts/support/browser.ts';
import { type LocalIssuer, startLocalIssuer } from '../platform/accounts/support/local-issuer.ts';

const person = 'local|cedar-desk';

const log = new LogCapture();
let database: TestDatabase;
let issuer: LocalIssuer;
let server: TestServer;
beforeAll(async () => {
  database = await createDatabase({ from: 'applied' });
  issuer = await startLocalIssuer();
  const environment = { ...issuer.environment, ROWGATE_CONSOLE: 'on' };
  const logger = makeLogger({ logLevel: 'info', headerPrefix: 'X-Gql-' }, log);
  server = await startTestServer({ database, rest: true, environment, logger });
});
afterAll(async () => {
  await server.stop();
  await issuer.stop();
  await database.drop();
});

const run = (sql: string) => query(database.superuserUrl, sql);

interface Answer {
  readonly status: number;
  // biome-ignore lint/suspicious/noExplicitAny: the shape is what the test is about
  readonly json: any;
}

async function post(path: string, body: object, to: TestServer = server): Promise<Answer> {
  const answer = await to.fetch(`/console/sections/${path}`, {
    ...{ method: 'POST', body: JSON.stringify(body) },
    headers: {
      'content-type': 'application/json',
      'x-gql-admin-secret': server.adminSecret,
      'x-rowgate-actor': 'Ada',
    },
  });
  return { status: answer.status, json: await answer.json() };
}

const people = { section: 'people', list: 'people' };
const sessions = { section: 'people', list: 'sessions' };
const keys = { section: 'api-keys', list: 'keys' };

/** Asks for the words of an act, and confirms them. */
async function act(body: object): Promise<Answer & { readonly words: Answer['json'] }> {
  const { status, json: words } = await post('words', body);
  if (status !== 200) return { status, json: words, words };
  return { ...(await post('act', { ...body, confirmed: words })), words };
}

const cells = (answer: Answer, column: number): readonly string[] =>
  answer.json.rows.map((row: { readonly cells: readonly string[] }) => row.cells[column]);

async function signIn(id = person): Promise<Browser> {
  const browser = new Browser(server);
  await browser.exchange(await issuer.tokenFor(id));
  return browser;
}

const lastUse = async () =>
  (await run('select * from rowgate.admin_use order by id desc limit 1'))[0];

describe('a list', () => {
  test('is described without its rows', async () => {
    const answer = await server.fetch('/console/sections', {
      headers: { 'x-gql-admin-secret': server.adminSecret, 'x-rowgate-actor': 'Ada' },
    });
    // biome-ignore lint/suspicious/noExplicitAny: the shape is what the test is about
    const found: any = await answer.json();
    const names = found.map(({ name, lists }: { name: string; lists: { name: string }[] }) => [
      ...[name, lists.map((list) => list.name)],
    ]);
    expect(names).toEqual([
      ['people', ['people', 'sessions']],
      ['api-keys', ['keys']],
      ['callbacks', ['received', 'refused']],
    ]);
    const [grant] = found[0].lists[0].acts;
    expect(grant.choice.names).toContain('trader');
    expect(grant.choice.names).not.toContain('admin');
  });

  test('finds people by a part of the e-mail address or name, by id and by role', async () => {
    const search = async (text: string) =>
      cells(await post('page', { ...people, search: text }), 6);
    expect(await search('DESK@CEDAR')).toEqual([person]);
    expect(await search(person)).toEqual([person]);
    expect(await search("%' or true --")).toEqual([]);
    expect((await search('trader')).length).toBeGreaterThan(0);
  });

  test('has pages that neither repeat nor miss a row', async () => {
    await run(`insert into public."user" (id, organization_id, email)
      select 'page|' || i, (select id from public.organization limit 1), 'Same' || (i % 3) || '@' || i || '.example'
      from generate_series(1, 120) i`);
    const found: string[] = [];
    let pages = 0;
    let after: readonly string[] | undefined;
    do {
      const answer = await post('page', { ...people, ...(after && { after }) });
      found.push(...cells(answer, 6));
      after = answer.json.next;
      pages += 1;
    } while (after);
    const all = await run('select id from public."user"');
    expect(found.length).toBe(all.length);
    expect(new Set(found).size).toBe(all.length);
    expect(pages).toBe(Math.ceil(all.length / 50));
    await run(`delete from public."user" where id like 'page|%'`);
  });

  test('is recorded with the row to which it belongs, and the log has no id of a row', async () => {
    await post('page', { ...sessions, of: person });
    expect(log.text).toContain('"table":"people/sessions"');
    expect(log.text).not.toContain(person);
    expect(await lastUse()).toMatchObject({
      ...{ actor: 'Ada', person: null, endpoint: '/console/sections/page', status: 200 },
      ...{ relation: 'people/sessions', subject: person },
    });
  });

  test.each([
    [{ section: 'people', list: 'nobody' }, 404],
    [{ section: '__proto__', list: 'people' }, 404],
    [{ section: 'people', list: 'sessions' }, 400],
    [{ section: 'people', list: 'people', of: person }, 400],
    [{ section: 'people', list: 'people', filter: 'x' }, 400],
    [{ section: 'callbacks', list: 'received', filter: 'x' }, 400],
    [{ section: 'people', list: 'people', search: 'a\0' }, 400],
  ])('%j is answered %i', async (body, status) => {
    expect((await post('page', body)).status).toBe(status);
  });

  test('accepts any text as the place where a page begins', async () => {
    const after = ["x'; drop table public.user --"];
    const lists = [people, keys, { ...sessions, of: person }];
    for (const list of [
      ...lists,
      { section: 'callbacks', list: 'received' },
      { section: 'callbacks', list: 'refused' },
    ]) {
      expect((await post('page', { ...list, after })).status).toBe(200);
    }
  });
});

describe('an act', () => {
  beforeEach(() =>
    run(`delete from public.user_role where user_id = '${person}' and role = 'auditor'`),
  );
  const hasRole = async () => {
    const found = await run(
      `select from public.user_role where user_id = '${person}' and role = 'auditor'`,
    );
    return found.length > 0;
  };
  const grant = { ...people, act: 'grant', keys: [person], choice: 'auditor' };

  test('grants and revokes a role, which counts at the next request', async () => {
    const browser = await signIn();
    const asAuditor = () => browser.graphql('{ coin_price { coin } }', { 'X-Gql-Role': 'auditor' });
    expect((await asAuditor()).errors).toHaveLength(1);
    expect(await act(grant)).toMatchObject({
      status: 200,
      words: {
        question: 'Grant the role auditor to 1 person?',
        lines: [
          expect.stringContaining('(local|cedar-desk) of Cedar'),
          expect.stringContaining('undoes'),
        ],
      },
      json: { done: 'Granted the role auditor to 1 person.' },
    });
    expect((await asAuditor()).errors).toBeUndefined();
    expect(await lastUse()).toMatchObject({
      ...{ relation: 'people/people', operation: 'grant auditor', subject: person, status: 200 },
    });
    expect((await act({ ...grant, act: 'revoke' })).json).toEqual({
      done: 'Revoked the role auditor of 1 person.',
    });
    expect((await asAuditor()).errors).toHaveLength(1);
  });

  test('happens only with the words that were confirmed', async () => {
    const { json: words } = await post('words', grant);
    await run(`insert into public.user_role values ('${person}', 'auditor')`);
    const answer = await post('act', { ...grant, confirmed: words });
    expect([answer.status, answer.json.code]).toEqual([409, 'changed']);
    await run(`delete from public.user_role where user_id = '${person}' and role = 'auditor'`);
    expect(
      (await post('act', { ...grant, confirmed: { question: 'ok?', lines: [] } })).status,
    ).toBe(409);
    expect(await hasRole()).toBe(false);
  });

  test('is refused where the console may not write, although its words are shown', async () => {
    const environment = { ROWGATE_CONSOLE: 'on', ROWGATE_CONSOLE_WRITES: 'false' };
    const reader = await startTestServer({ database, rest: true, environment });
    const { status, json: words } = await post('words', grant, reader);
    expect(status).toBe(200);
    const answer = await post('act', { ...grant, confirmed: words }, reader);
    expect([answer.status, answer.json.code]).toEqual([403, 'read-only']);
    expect(await hasRole()).toBe(false);
    await reader.stop();
  });

  test('ends all sessions of people', async () => {
    const browser = await signIn();
    const answer = await act({ ...people, act: 'end-sessions', keys: [person] });
    expect(answer.words.lines[0]).toMatch(/loses \d sessions?\.$/);
    expect((await browser.fetch('/auth/session')).status).toBe(401);
  });

  test('ends one session of a person, and no other', async () => {
    await run('delete from rowgate_auth.session');
    const [first, second] = [await signIn(), await signIn()];
    const listed = await post('page', { ...sessions, of: person });
    const [id = ''] = cells(listed, 0);
    expect(JSON.stringify(listed.json)).not.toContain('=s:');
    await act({ ...sessions, of: person, act: 'end', keys: [id] });
    const statuses = [first, second].map(async (one) => (await one.fetch('/auth/session')).status);
    expect((await Promise.all(statuses)).sort()).toEqual([200, 401]);
  });

  test.each([[['']], [['0']], [['000000000000']]])(
    'ends no session by the ids %j, which no session has',
    async (ids) => {
      const browser = await signIn();
      const answer = await act({ ...sessions, of: person, act: 'end', keys: ids });
      expect(answer.status).toBe(409);
      expect((await browser.fetch('/auth/session')).status).toBe(200);
    },
  );

  test('ends no session of another person', async () => {
    await run('delete from rowgate_auth.session');
    const browser = await signIn();
    const [id = ''] = cells(await post('page', { ...sessions, of: person }), 0);
    const of = 'local|cedar-admin';
    expect((await act({ ...sessions, of, act: 'end', keys: [id] })).status).toBe(409);
    expect((await browser.fetch('/auth/session')).status).toBe(200);
  });

  test('revokes an API key, which is never shown', async () => {
    const key = await storeKey(await database.connectOwner(), { scopes: ['case:read'] });
    const listed = await post('page', { ...keys, search: key.id });
    expect(cells(listed, 3)).toEqual(['valid']);
    const secret = key.text.split('_')[2] ?? 'missing';
    expect(JSON.stringify(listed.json)).not.toContain(secret);
    const { json } = await act({ ...keys, act: 'revoke', keys: [key.id] });
    expect(json).toEqual({ done: 'Revoked 1 API key.' });
    expect(cells(await post('page', { ...keys, search: key.id }), 3)).toEqual(['revoked']);
  });

  test.each([
    [{ ...grant, choice: 'admin' }, 400],
    [{ ...grant, choice: undefined }, 400],
    [{ ...grant, act: 'nothing' }, 404],
    [{ ...grant, keys: [] }, 400],
    [{ ...grant, keys: [person, person] }, 400],
    [{ ...grant, keys: Array.from({ length: 101 }, (_, index) => String(index)) }, 400],
    [{ ...grant, keys: ['nobody'] }, 409],
  ])('%j is answered %i', async (body, status) => {
    expect((await post('words', body)).status).toBe(status);
  });
});

describe('the callbacks', () => {
  test('that were refused are shown with the reason, without headers and body', async () => {
    await server.fetch('/webhooks/on-card-webhook', {
      ...{ method: 'POST', body: '{"secret":"in-the-body"}' },
      headers: { 'content-type': 'application/json', 'x-signature': 'in-the-header' },
    });
    const answer = await post('page', { section: 'callbacks', list: 'refused' });
    expect(answer.json.rows[0].cells.slice(1, 4)).toEqual([
      ...['card', 'the provider is not configured here', '127.0.0.1'],
    ]);
    expect(JSON.stringify(answer.json)).not.toMatch(/in-the-/);
  });

  test('that were received are shown by state', async () => {
    await run(`insert into rowgate_webhooks.inbox (provider, event_key, body, state, note, received_at)
      select 'card', 'k' || i, 'x', 'malformed', 'note ' || i, now() from generate_series(1, 60) i`);
    const list = { section: 'callbacks', list: 'received' };
    const first = await post('page', { ...list, filter: 'malformed' });
    const second = await post('page', { ...list, filter: 'malformed', after: first.json.next });
    expect(new Set([...cells(first, 4), ...cells(second, 4)]).size).toBe(60);
    expect(second.json.next).toBeUndefined();
    expect((await post('page', { ...list, filter: 'done' })).json.rows).toEqual([]);
  });
});
