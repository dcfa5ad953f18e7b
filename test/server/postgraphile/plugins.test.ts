import { context, loadOne } from 'postgraphile/grafast';
import { PostGraphileAmberPreset } from 'postgraphile/presets/amber';
import { extendSchema, gql } from 'postgraphile/utils';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { shopMetadata, shopSchema } from './support/shop.ts';
import { type StockEngines, startStockEngines } from './support/stock-engines.ts';

interface Client {
  query(query: { text: string; arrayMode?: boolean }): Promise<{ rows: unknown[][] }>;
  withTransaction<T>(callback: (client: Client) => Promise<T>): Promise<T>;
}
interface Context {
  readonly pgSettings: Record<string, string>;
  readonly withPgClient: <T>(settings: unknown, callback: (client: Client) => T) => Promise<T>;
}
/** An action of the test plugin with the database client of an operation, often a hostile one. */
type Attempt = (context: Context) => unknown;

const value = async (client: Client, text: string) =>
  (await client.query({ text, arrayMode: true })).rows[0]?.[0];
const ask = ({ withPgClient, pgSettings }: Context, text: string) =>
  withPgClient(pgSettings, (client) => value(client, text));

const attempts: Readonly<Record<string, Attempt>> = {
  who: (context) => ask(context, 'select current_user::text'),
  readOnly: (context) => ask(context, `select current_setting('transaction_read_only')`),
  isolation: (context) => ask(context, `select current_setting('transaction_isolation')`),
  setRole: (context) => ask(context, '/* x */ set role rowgate_admin'),
  resetRole: (context) => ask(context, 'reset role'),
  setConfig: (context) => ask(context, `select set_config('role', 'none', true)`),
  commit: (context) => ask(context, ' commit'),
  commentInComment: (context) => ask(context, '/* /* */ */ commit'),
  carriageReturn: (context) => ask(context, '-- \rcommit and\nno chain'),
  escapedName: (context) =>
    ask(context, String.raw`select U&"set\005Fconfig"('role', 'none', true)`),
  lock: (context) => ask(context, `select 'locked' from pg_advisory_lock(7)`),
  locks: (context) =>
    ask(
      context,
      `select count(*)::text from pg_locks where locktype = 'advisory' and database = (select oid from pg_database where datname = current_database())`,
    ),
  two: (context) => ask(context, 'select 1; reset role'),
  write: (context) => ask(context, 'insert into public.audit values (9, $$x$$) returning 1'),
  settings: (context) => context.withPgClient({ ...context.pgSettings }, () => 1),
  freeze: (context) => {
    context.pgSettings.role = 'postgres';
    return 'changed';
  },
  raw: (context) =>
    context.withPgClient(context.pgSettings, (client) => Object.keys(client).sort().join()),
  nested: (context) =>
    context.withPgClient(context.pgSettings, (client) =>
      client.withTransaction(() =>
        context.withPgClient(context.pgSettings, (inner) =>
          inner.withTransaction((innermost) => value(innermost, `select 'nested'`)),
        ),
      ),
    ),
  caught: async (context) => {
    const failed = await context
      .withPgClient(context.pgSettings, (client) =>
        client.withTransaction((inner) => value(inner, 'select 1 / 0')),
      )
      .catch(() => 'caught');
    return `${failed} ${await ask(context, `select 'and went on'`)}`;
  },
  become: (context) =>
    ask(context, `select public.become('${stock.model.roles.get('admin')?.postgresName}')`),
  leave: (context) => ask(context, 'select public.leave()'),
  left: (context) => ask(context, `select coalesce(current_setting('my.left', true), '')`),
  swallow: (context) => ask(context, 'select 1 / 0').catch(() => 'swallowed'),
  foreign: () => {
    throw new Error('secret of a plugin');
  },
};

const preset: GraphileConfig.Preset = {
  extends: [PostGraphileAmberPreset],
  plugins: [
    extendSchema({
      typeDefs: gql`
        extend type Customer { attempt(name: String!): String }
        extend type Query { open: String, everything: Int }
        extend type Mutation { destroy: String }
      `,
      objects: {
        Customer: {
          plans: {
            attempt: (_customer, { $name }) =>
              loadOne($name, {
                shared: context(),
                load: (names: readonly string[], { shared }: { shared: unknown }) =>
                  Promise.all(
                    names.map(async (name) => String(await attempts[name]?.(shared as Context))),
                  ),
              } as never),
          },
        },
      },
    }),
  ],
};

/** Database functions by which a plugin changes the role or session state while its SQL text looks harmless. */
const functions = `
create function become(name text) returns text language sql volatile
  as $$ select pg_catalog.set_config('role', name, true) $$;
create function leave() returns text language sql volatile
  as $$ select pg_catalog.set_config('my.left', 'behind', false) $$;
`;

let stock: StockEngines;
beforeAll(async () => {
  stock = await startStockEngines({
    ...{ schema: `${shopSchema}${functions}`, metadata: shopMetadata, preset, poolSize: 1 },
  });
});
afterAll(() => stock.stop());

const first = { session: { tenant_id: '1' } };
const query = 'query ($name: String!) { customerByRowId(rowId: 1) { attempt(name: $name) } }';
async function attempt(name: string): Promise<unknown> {
  const answer = await stock.run('clerk', query, { ...first, variables: { name } });
  return typeof answer === 'string'
    ? answer
    : (answer as { customerByRowId: { attempt: string } }).customerByRowId.attempt;
}

describe('a PostGraphile plugin', () => {
  test("queries Postgres in the caller's role, in a transaction on one snapshot", async () => {
    expect(await attempt('who')).toBe(stock.model.roles.get('clerk')?.postgresName);
    expect(await attempt('readOnly')).toBe('on');
    expect(await attempt('isolation')).toBe('repeatable read');
  });

  test('may open a client inside another, and continue after an error inside a savepoint', async () => {
    expect(await attempt('nested')).toBe('nested');
    expect(await attempt('caught')).toBe('caught and went on');
  });

  test('that takes an advisory lock of the session does not keep it after the operation', async () => {
    expect(await attempt('lock')).toBe('locked');
    expect(await attempt('locks')).toBe('0');
  });

  test('gets an object with only the methods query and withTransaction, not the connection itself', async () => {
    expect(await attempt('raw')).toBe('query,withTransaction');
  });

  test.each([
    'setRole',
    'resetRole',
    'setConfig',
    'commit',
    'commentInComment',
    'carriageReturn',
    'escapedName',
    'two',
    'write',
    'settings',
    'freeze',
    'foreign',
  ])(
    'that tries %s makes the operation fail, with an error that reveals no details',
    async (name) => {
      const answer = await attempt(name);
      expect(answer).toMatch(
        /^(unexpected: internal error|data-exception: a value does not suit|not-supported: a query changes nothing)/,
      );
      expect(await attempt('who')).toBe(stock.model.roles.get('clerk')?.postgresName);
    },
  );

  test('that changes the role through a database function makes the whole operation fail', async () => {
    expect(await attempt('become')).toBe('unexpected: internal error');
    expect(await attempt('who')).toBe(stock.model.roles.get('clerk')?.postgresName);
  });

  test('that sets session state in a committed mutation leaves none for the next request', async () => {
    const mutation = `mutation ($name: String!) {
      updateInvoiceByRowId(input: {rowId: 1, invoicePatch: {note: "x"}}) {
        invoice { customerByCustomerId { attempt(name: $name) } } } }`;
    expect(await stock.run('clerk', mutation, { ...first, variables: { name: 'leave' } })).toEqual({
      updateInvoiceByRowId: { invoice: { customerByCustomerId: { attempt: 'behind' } } },
    });
    expect(await attempt('left')).toBe('');
  });

  test('that swallows an error of Postgres makes the mutation fail and roll back', async () => {
    const mutation = `mutation ($name: String!) {
      updateInvoiceByRowId(input: {rowId: 2, invoicePatch: {note: "lost"}}) {
        invoice { customerByCustomerId { attempt(name: $name) } } } }`;
    const options = { ...first, variables: { name: 'swallow' } };
    expect(await stock.run('clerk', mutation, options)).toMatch(/^unexpected: /);
    expect(await stock.run('clerk', '{ invoiceByRowId(rowId: 2) { note } }', first)).toEqual({
      invoiceByRowId: { note: null },
    });
  });

  test('adds root fields that no role may use, not even admin, unless graphile.yaml lists them', async () => {
    expect(await stock.run('admin', '{ open }')).toContain('Cannot query field "open"');
    expect(await stock.run('admin', 'mutation { destroy }')).toContain(
      'Cannot query field "destroy"',
    );
  });
});
