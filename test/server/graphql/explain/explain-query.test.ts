import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Installation, install } from '../../../permissions/support/installation.ts';
import { removeMetadata } from '../../../permissions/support/metadata-files.ts';
import { runCommand } from '../../../support/command-line.ts';

const schema = `
create table org (id int primary key, name text not null);
create table invoice (id int primary key, org_id int not null references org, amount numeric not null, state text not null);
insert into org select n, 'Org ' || n from generate_series(1, 100) n;
insert into invoice select n, n % 100 + 1, n, 'open' from generate_series(1, 5000) n;
create index on invoice (state);
analyze org, invoice;`;

const rules = {
  'roles.yaml': 'roles: { member: {}, none: {} }\n',
  'tables/org.yaml': 'table: org\n',
  'tables/invoice.yaml': `table: invoice
permissions:
  member:
    select: { filter: { org_id: { _eq: X-Gql-Org-Id } }, columns: [id, amount], allow_aggregations: true }
    delete: { filter: {} }
`,
};

let made: Installation;
beforeAll(async () => {
  made = await install({ schema, rules });
});
afterAll(async () => {
  await made.drop();
  await removeMetadata();
});

async function explain(query: string, ...more: readonly string[]) {
  const file = path.join(made.metadata, 'query.graphql');
  await writeFile(file, query);
  const environment = { DATABASE_URL: made.database.ownerUrl, ROWGATE_ROLE_PREFIX: made.prefix };
  const options = ['--metadata', made.metadata, '--role', 'member', '--variable', 'X-Gql-Org-Id=7'];
  return runCommand(['explain', 'query', file, ...options, ...more], environment);
}

describe('rowgate explain query', () => {
  test('shows the SQL and both plans of each field, and the missing index', async () => {
    const { code, stdout, stderr } = await explain(
      '{ a: invoice(limit: 5, order_by: {amount: desc}) { id } invoice_aggregate { aggregate { count } } }',
    );
    expect([code, stderr]).toEqual([0, '']);
    expect(stdout).toMatch(/^a:\n {2}select [\s\S]*\n {2}with the rules: estimated cost [\d.]+\n/);
    expect(stdout).toMatch(/\n {2}without rules: estimated cost /);
    expect(stdout).toMatch(/\ninvoice_aggregate:\n/);
    expect(stdout).toContain(
      'public.invoice is read as a whole (about 5000 rows), and no index begins with org_id',
    );
  });

  test('runs as the role with its session variables', async () => {
    const { stdout } = await explain('{ invoice { id } }', '--analyze', '--json');
    const [field] = JSON.parse(stdout);
    expect(field).toMatchObject({
      field: 'invoice',
      cost: { milliseconds: expect.any(Number), pages: expect.any(Number) },
      withoutRules: { cost: { pages: expect.any(Number) } },
      missingIndexes: [{ schema: 'public', table: 'invoice', rows: 5000, columns: ['org_id'] }],
    });
    expect(JSON.stringify(field.plan)).toContain('"Actual Rows":50');
    expect(JSON.stringify(field.withoutRules.plan)).toContain('"Actual Rows":5000');
  });

  test('passes the variables of the query', async () => {
    const query = 'query a($n: Int) { invoice(limit: $n) { id } } query b { invoice { amount } }';
    const { code, stdout } = await explain(
      query,
      '--operation',
      'a',
      '--variables',
      '{"n": 3}',
      '--analyze',
      '--json',
    );
    expect(code).toBe(0);
    expect(stdout).toMatch(/"Node Type": "Limit"[\s\S]*"Actual Rows": 3\b/);
  });

  test.each([
    [['{ invoice { state } }'], "field 'state' not found in type: 'invoice'"],
    [['mutation { delete_invoice(where: {}) { affected_rows } }'], 'only queries can be explained'],
    [
      ['{ invoice { id } }', '--role', 'membr'],
      'role "membr" is not in roles.yaml\n  did you mean "member"?',
    ],
    [['{ invoice { id } }', '--variables', '{'], '--variables is not valid JSON'],
    [['{ invoice { id '], 'not a valid graphql query'],
  ])('refuses %j with the reason', async ([query = '', ...more], reason) => {
    const { code, stderr } = await explain(query, ...more);
    expect(code).toBe(2);
    expect(stderr.toLowerCase()).toContain(reason.toLowerCase());
  });

  test('leaves the login without the roles that it acted as', async () => {
    const members = async () => {
      const { rows } = await made.owner.query(
        `select to_jsonb(m) from pg_auth_members m join pg_roles r on r.oid = m.roleid
          where m.member = current_user::regrole and r.rolname like $1 order by 1`,
        [`${made.prefix}%`],
      );
      return rows;
    };
    const before = await members();
    await explain('{ invoice { id } }');
    expect(await members()).toEqual(before);
  });
});
