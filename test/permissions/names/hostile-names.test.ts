import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { uninstall } from '../../../permissions/apply/uninstall.ts';
import { graphqlName } from '../../../permissions/role-view.ts';
import { startTestServer, type TestServer } from '../../support/http.ts';
import { failureOf } from '../support/as-role.ts';
import { catalogState } from '../support/catalog-state.ts';
import { type Installation, install, makeInstallation } from '../support/installation.ts';
import { removeMetadata } from '../support/metadata-files.ts';
import { hostileNames } from './hostile-names.ts';
import { roleFor, rulesFor, schemaFor } from './world.ts';

const names = hostileNames.map(([, name]) => name);
const variables = { tenant: '1', maker: 'me' };

let made: Installation;
let before: readonly unknown[];
let server: TestServer;

beforeAll(async () => {
  const schema = schemaFor(names);
  made = await makeInstallation({ from: 'empty', schema, rules: rulesFor(names) });
  before = await catalogState(made.owner, made.prefix);
  await made.apply();
  // Must connect before the server starts, because the server changes the password of the gateway login.
  await made.ask(roleFor('select'), variables, 'select 1');
  const environment = { ROWGATE_ROLE_PREFIX: made.prefix };
  server = await startTestServer({
    database: made.database,
    metadata: made.metadata,
    environment,
  });
});

afterAll(async () => {
  await server?.stop();
  await made?.drop();
  await removeMetadata();
});

// The tests share one applied state. The last test uninstalls everything.
describe('names with quotes, spaces, SQL and other unusual characters', { shuffle: false }, () => {
  test('leave nothing pending after apply', async () => {
    expect(await made.pending()).toEqual([]);
  });

  // The metadata cannot name such columns, but `columns: '*'` includes them.
  test("allow columns with control characters when the rules include them by columns: '*'", async () => {
    const columns = ['line\nfeed', 'tab\tulator', 'left\u202eright', '\u0001'];
    const list = columns.map((column) => pg.escapeIdentifier(column));
    const other = await install({
      schema: `create table odd (id integer, ${list.map((one) => `${one} text`).join()});
      insert into odd values (1, 'a', 'b', 'c', 'd'), (2, 'e', 'f', 'g', 'h');`,
      rules: {
        'roles.yaml': 'roles: { member: {} }',
        'tables/odd.yaml': `table: odd
permissions: { member: { select: { filter: { id: 2 }, columns: '*' } } }`,
      },
    });
    const { rows } = await other.ask('member', {}, `select ${list.join()} from public.odd`);
    expect({ rows, pending: await other.pending() }).toEqual({
      rows: [['e', 'f', 'g', 'h']],
      pending: [],
    });
    await other.drop();
  });

  describe.each(hostileNames)('%s as the name of every object', (_why, name) => {
    const n = pg.escapeIdentifier(name);
    const role = roleFor(name);
    const rows = async (sql: string, as: Readonly<Record<string, string>> = variables) =>
      (await made.ask(role, as, sql)).rows.map((row) => row.join());
    const affected = async (sql: string, as: Readonly<Record<string, string>> = variables) =>
      (await made.ask(role, as, sql)).affected;
    const refusal = async (sql: string) => (await failureOf(made.ask(role, variables, sql))).code;

    test('a named filter that compares with an enum value shows only the rows of the caller', async () => {
      expect(await rows(`select ${n} from public.${n}`)).toEqual(['mine']);
      expect(await rows(`select ${n} from public.${n}`, { tenant: '2' })).toEqual(['theirs']);
    });

    test('rules through relationships show, update and delete only the rows of the caller', async () => {
      expect(await rows(`select id from ${n}.${n} order by id`)).toEqual(['1', '4']);
      expect(await affected(`update ${n}.${n} set tag = 'x'`)).toBe(2);
      expect(await affected(`delete from ${n}.${n}`)).toBe(1);
      expect(await rows(`select id from ${n}.${n}`, { tenant: '2' })).toEqual(['2']);
    });

    test('rules with _exists show and delete only the rows of the caller', async () => {
      expect(await rows(`select id from existing.${n}`)).toEqual(['1']);
      expect(await affected(`delete from existing.${n}`)).toBe(2);
      expect(await affected(`delete from existing.${n}`, { tenant: '2' })).toBe(0);
    });

    test('rules that compare two columns hide rows and refuse writes', async () => {
      expect(await rows(`select id from compared.${n}`)).toEqual(['1']);
      expect(await refusal(`update compared.${n} set ${n} = 'b'`)).toBe('42501');
    });

    test('an insert fills the preset column and is refused when the check fails', async () => {
      const insert = `insert into written.${n} (id, note, tenant) values`;
      expect(await rows(`${insert} (9, 'fresh', '1') returning ${n}`)).toEqual(['me']);
      expect(await refusal(`${insert} (9, 'fresh', '2')`)).toBe('42501');
      expect(await refusal(`${insert} (9, ${pg.escapeLiteral(name)}, '1')`)).toBe('42501');
      expect(await refusal(`insert into written.${n} (id, ${n}) values (9, 'you')`)).toBe('42501');
    });

    test('updates and deletes change only rows of the caller, and a failed check refuses the update', async () => {
      expect(await rows(`update written.${n} set note = 'x' returning id`)).toEqual(['1']);
      expect(await refusal(`update written.${n} set note = ${pg.escapeLiteral(name)}`)).toBe(
        '42501',
      );
      expect(await refusal(`update written.${n} set ${n} = 'me'`)).toBe('42501');
      expect(await rows(`delete from written.${n} returning id`)).toEqual(['1']);
    });

    test('without session variables, no row is visible and none is deleted', async () => {
      const from = ['public', pg.escapeIdentifier(name), 'existing', 'written'];
      const counts = from.map((schema) => `(select count(*) from ${schema}.${n})`);
      expect(await rows(`select ${counts.join(', ')}`, {})).toEqual(['0,0,0,0']);
      expect(await affected(`delete from ${n}.${n}`, {})).toBe(0);
      expect(await affected(`delete from existing.${n}`, {})).toBe(0);
    });

    test('GraphQL returns the same rows as SQL, under names that are valid in GraphQL', async () => {
      const g = graphqlName(name);
      const in_ = (schema: string) => graphqlName(`${schema}_${name}`);
      const { body } = await server.graphql(
        `query ($mood: ${g}_scalar) {
        parents: ${g}(where: { mood: { _eq: $mood } }) { ${g} tenant mood children(order_by: { id: asc }) { id } }
        total: ${g}_aggregate { aggregate { count max { ${g} } } }
        theirs: ${g}_by_pk(${g}: "theirs") { tenant }
        children: ${in_(name)}(where: { to_parent: { ${g}: { _eq: "mine" } } }, order_by: [{ to_parent: { ${g}: asc } }, { id: asc }]) { id to_parent { ${g} } pair { tenant } }
        existing: ${in_('existing')} { id ${g} }
        compared: ${in_('compared')}(distinct_on: ${g}) { id ${g} }
        written: ${in_('written')} { id ${g} }
      }`,
        // Clients send header values as UTF-8. fetch accepts one character for each byte.
        {
          'X-Gql-Role': Buffer.from(role).toString('latin1'),
          'X-Gql-Tenant': '1',
          'X-Gql-Maker': 'me',
        },
        { mood: name },
      );
      expect(body).toEqual({
        data: {
          parents: [{ [g]: 'mine', tenant: '1', mood: name, children: [{ id: 1 }, { id: 4 }] }],
          total: { aggregate: { count: 1, max: { [g]: 'mine' } } },
          theirs: null,
          children: [
            { id: 1, to_parent: { [g]: 'mine' }, pair: { tenant: '1' } },
            { id: 4, to_parent: { [g]: 'mine' }, pair: null },
          ],
          existing: [{ id: 1, [g]: 'mine' }],
          compared: [{ id: 1, [g]: 'a' }],
          written: [{ id: 1, [g]: 'me' }],
        },
      });
    });
  });

  test('leave no object in the database after uninstall', async () => {
    await server.stop();
    await uninstall(made.owner, { rolePrefix: made.prefix, login: undefined });
    expect(await catalogState(made.owner, made.prefix)).toEqual(before);
  });
});
