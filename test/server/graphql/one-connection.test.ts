import { Agent, request } from 'node:http';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parseConfig } from '../../../server/config/config.ts';
import { type Ask, type Gateway, headersOf, startGateway } from './support/gateway.ts';

const schema = `
create table note (id integer generated always as identity primary key, tenant text not null, line text not null);
create table part (id integer generated always as identity primary key, tenant text not null, note_id integer references note);
create table held (id integer primary key);
insert into note (tenant, line) values ('one', 'seed'), ('two', 'seed');
`;
const own = '{ tenant: { _eq: X-Gql-Tenant } }';
const metadata = {
  'roles.yaml':
    'roles: { writer: { requires: [X-Gql-Tenant] }, reader: { requires: [X-Gql-Tenant] } }\n',
  'tables/note.yaml': `
table: note
permissions:
  writer: { select: { filter: ${own}, columns: '*' }, insert: { check: ${own}, columns: '*' } }
  reader: { select: { filter: ${own}, columns: [tenant] } }
`,
  'tables/part.yaml': `
table: part
permissions:
  writer: { select: { filter: ${own}, columns: '*' }, insert: { check: ${own}, columns: '*' } }
`,
  'tables/held.yaml': `
table: held
permissions: { reader: { select: { filter: {}, columns: '*' } } }
`,
};

let gateway: Gateway;
beforeAll(async () => {
  const limits = {
    ...parseConfig({}, '/').config.limits,
    ...{ statementTimeoutMs: 500, maxWaitMs: 120_000 },
  };
  gateway = await startGateway({ schema, metadata, config: { poolSize: 1, limits } });
});
afterAll(() => gateway.stop());

const as = (role: string, tenant: string): Ask => ({ role, variables: { Tenant: tenant } });
const seed = '{ note { tenant } }';
const note = (tenant: string, line: string) =>
  `insert_note_one(object: {tenant: "${tenant}", line: "${line}"}) { tenant line }`;
const pair = (tenant: string, other: string, line: string) =>
  `mutation { a: ${note(tenant, `${line} a`)} b: ${note(other, `${line} b`)} }`;

interface Outcome {
  readonly actual: unknown;
  readonly expected: unknown;
}
type Request = (tenant: string, line: string) => Promise<Outcome>;

const codeOf = async (query: string, ask: Ask) =>
  (await gateway.ask(query, ask)).errors?.map(({ extensions }) => extensions.code);
const otherOf = (tenant: string) => (tenant === 'one' ? 'two' : 'one');

const reads: Request = async (tenant) => {
  const { data } = await gateway.ask(seed, as('reader', tenant));
  const tenants = new Set(data.note.map((row: { tenant: string }) => row.tenant));
  return { actual: [...tenants], expected: [tenant] };
};
const writesTwo: Request = async (tenant, line) => ({
  actual: await gateway.ask(pair(tenant, tenant, line), as('writer', tenant)),
  expected: { data: { a: { tenant, line: `${line} a` }, b: { tenant, line: `${line} b` } } },
});
const writesNested: Request = async (tenant, line) => ({
  actual: await gateway.ask(
    `mutation { insert_part_one(object: {tenant: "${tenant}", note: {data: {tenant: "${tenant}", line: "${line} n"}}}) { tenant note { tenant line } } }`,
    as('writer', tenant),
  ),
  expected: { data: { insert_part_one: { tenant, note: { tenant, line: `${line} n` } } } },
});
const failsInSecond: Request = async (tenant, line) => ({
  actual: await codeOf(pair(tenant, otherOf(tenant), `${line} failed`), as('writer', tenant)),
  expected: ['permission-error'],
});
const lacksVariable: Request = async () => ({
  actual: await codeOf(seed, { role: 'reader' }),
  expected: ['not-found'],
});
const timesOut: Request = async (tenant) => ({
  actual: await codeOf('{ held { id } }', as('reader', tenant)),
  expected: ['time-limit-exceeded'],
});
/** Closes the socket of a request after another request was answered. */
const aborted = async (query: string, ask: Ask): Promise<Outcome> => {
  const cancel = new AbortController();
  const body = JSON.stringify({ query });
  const lost = gateway
    .send({ headers: headersOf(ask), body, signal: cancel.signal })
    .catch((error: Error) => error.name);
  const outcome = await reads(ask.variables?.Tenant ?? '', '');
  cancel.abort();
  await lost;
  return outcome;
};
const readsAborted: Request = (tenant) => aborted('{ held { id } }', as('reader', tenant));
const writesAborted: Request = (tenant, line) =>
  aborted(pair(tenant, tenant, `${line} aborted`), as('writer', tenant));

const often: readonly Request[] = [reads, writesTwo, failsInSecond, writesNested, lacksVariable];
const rarely: readonly Request[] = [timesOut, readsAborted, writesAborted];
const requests = Array.from({ length: 84 }, (_, index) => [
  ...often,
  ...rarely.filter((_one, kind) => (index + kind * 7) % 21 === 0),
]).flat();

async function whileHeld(work: () => Promise<void>): Promise<void> {
  const owner = await gateway.database.connectOwner();
  await owner.query('begin; lock table held in access exclusive mode');
  try {
    await work();
  } finally {
    await owner.query('rollback');
    await owner.end();
  }
}

describe('on one connection, with queries, mutations of several steps, errors, timeouts and closed sockets', () => {
  test('more than 400 interleaved requests of two roles and two tenants each get their own answer', async () => {
    expect(requests.length).toBeGreaterThan(400);
    await whileHeld(async () => {
      const outcomes = await Promise.all(
        requests.map((send, index) => send(index % 2 === 0 ? 'one' : 'two', String(index))),
      );
      for (const { actual, expected } of outcomes) expect(actual).toEqual(expected);
    });
  });

  test('each mutation has written all of its rows for its own tenant, or none', async () => {
    const owner = await gateway.database.connectOwner();
    const { rows } = await owner.query<{ line: string; found: number }>(
      `select split_part(line, ' ', 1) as line, count(*)::int as found from note
       where line like '% a' or line like '% b' group by 1, tenant`,
    );
    const { rows: failed } = await owner.query("select from note where line like '% failed %'");
    await owner.end();
    expect(rows.length).toBeGreaterThanOrEqual(84);
    expect(rows.filter(({ found }) => found !== 2)).toEqual([]);
    expect(failed).toEqual([]);
  });
});

describe('a keep-alive connection', () => {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  afterAll(() => agent.destroy());
  const post = (headers: Record<string, string>) =>
    new Promise<{ isReused: boolean; body: unknown }>((resolve, reject) => {
      const sent = request(`${gateway.url}/v1/graphql`, { method: 'POST', agent, headers });
      sent.on('error', reject).on('response', async (response) => {
        const body = JSON.parse((await response.toArray()).join(''));
        resolve({ isReused: sent.reusedSocket, body });
      });
      sent.end(JSON.stringify({ query: seed }));
    });

  test('that sends the secret with its first request only is refused at the second', async () => {
    const headers = headersOf(as('reader', 'one'));
    const { 'X-Gql-Admin-Secret': _secret, ...bare } = headers;
    expect(await post(headers)).toMatchObject({ isReused: false, body: { data: {} } });
    const refused = { errors: [{ extensions: { code: 'access-denied' } }] };
    const { body, isReused } = await post(bare);
    expect([isReused, body]).toMatchObject([true, refused]);
    expect(await post({ 'content-type': 'application/json' })).toMatchObject({
      isReused: true,
      body: refused,
    });
  });
});
