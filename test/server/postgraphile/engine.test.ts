import { setImmediate as nextTurn } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { shopMetadata, shopSchema } from './support/shop.ts';
import { type StockEngines, startStockEngines } from './support/stock-engines.ts';

let stock: StockEngines;
beforeAll(async () => {
  stock = await startStockEngines({ schema: shopSchema, metadata: shopMetadata });
});
afterAll(() => stock.stop());

const first = { session: { tenant_id: '1' } };
const second = { session: { tenant_id: '2' } };
const run = (role: string, query: string, options = {}) => stock.run(role, query, options);

describe("a query in PostGraphile's dialect", () => {
  test('returns only the rows that match the filter of the role', async () => {
    const query = '{ allInvoices { nodes { number customerByCustomerId { name } } } }';
    expect(await run('clerk', query, second)).toEqual({
      allInvoices: { nodes: [{ number: 'B-1', customerByCustomerId: { name: 'Cyd' } }] },
    });
  });

  test('is refused before Postgres is queried if a session variable that a rule reads is missing', async () => {
    expect(await run('loose', '{ allInvoices { nodes { number } } }')).toBe(
      'not-found: missing session variable: "x-gql-tenant-id"',
    );
  });

  test('returns null for a row of another tenant, by its node id and by every key', async () => {
    const own = await run('clerk', '{ invoiceByNumber(number: "B-1") { id } }', second);
    const { id } = (own as { invoiceByNumber: { id: string } }).invoiceByNumber;
    const query = `query ($id: ID!) {
      node(id: $id) { id } invoice(id: $id) { number }
      invoiceByNumber(number: "B-1") { number } invoiceByRowId(rowId: 4) { number } }`;
    expect(await run('clerk', query, { ...first, variables: { id } })).toEqual({
      ...{ node: null, invoice: null, invoiceByNumber: null, invoiceByRowId: null },
    });
    expect(await run('clerk', query, { ...second, variables: { id } })).toMatchObject({
      node: { id },
      invoice: { number: 'B-1' },
    });
  });

  test('shows an inheriting role in each row the columns that one of its parent roles may read there, and null for all others', async () => {
    const query = '{ allCustomers { nodes { name email } } }';
    expect(await run('operator', query, first)).toEqual({
      allCustomers: {
        nodes: [
          { name: 'Ada', email: 'ada@one.example' },
          { name: 'Bob', email: 'bob@one.example' },
          { name: 'Cyd', email: null },
        ],
      },
    });
  });

  test('returns no more rows per page than the limit of the rule, and reports that a next page exists', async () => {
    const query = '{ allInvoices(first: 4) { nodes { number } pageInfo { hasNextPage } } }';
    expect(await run('guest', query)).toEqual({
      allInvoices: {
        nodes: [{ number: 'A-1' }, { number: 'A-2' }],
        pageInfo: { hasNextPage: true },
      },
    });
  });

  test('returns pages backwards, also before a cursor from a variable', async () => {
    const page = `query ($last: Int, $before: Cursor) { allInvoices(last: $last, before: $before) {
      nodes { number } pageInfo { startCursor hasPreviousPage } } }`;
    const one = await run('clerk', page, { ...first, variables: { last: 2 } });
    const { allInvoices } = one as {
      allInvoices: { nodes: unknown; pageInfo: { startCursor: string } };
    };
    expect(allInvoices.nodes).toEqual([{ number: 'A-2' }, { number: 'A-3' }]);
    const before = allInvoices.pageInfo.startCursor;
    expect(await run('clerk', page, { ...first, variables: { last: 2, before } })).toMatchObject({
      allInvoices: { nodes: [{ number: 'A-1' }], pageInfo: { hasPreviousPage: false } },
    });
  });

  test('returns pages ordered by a unique key if the role does not read the primary key', async () => {
    const query = '{ allInvoices(first: 1) { nodes { number } pageInfo { hasNextPage } } }';
    expect(await run('keyless', query, first)).toEqual({
      allInvoices: { nodes: [{ number: 'A-1' }], pageInfo: { hasNextPage: true } },
    });
  });

  test('returns related rows even if the role may not read the columns of the foreign key', async () => {
    const query = '{ allInvoices(first: 1) { nodes { note customerByCustomerId { name } } } }';
    expect(await run('namer', query)).toEqual({
      allInvoices: { nodes: [{ note: 'first', customerByCustomerId: { name: 'Ada' } }] },
    });
    const back =
      '{ allCustomers(first: 1) { nodes { name invoicesByCustomerId { nodes { number } } } } }';
    expect(await run('namer', back)).toEqual({
      allCustomers: {
        nodes: [
          { name: 'Ada', invoicesByCustomerId: { nodes: [{ number: 'A-1' }, { number: 'A-2' }] } },
        ],
      },
    });
  });

  test('counts a list that selects only totalCount as no rows towards the row limit', async () => {
    const nested = 'invoicesByCustomerId { totalCount }';
    const query = `{ allTenants(first: 1000) { nodes { customersByTenantId(first: 200) { nodes { ${nested} } } } } }`;
    expect(await run('analyst', query, first)).toBe(
      'node-limit-exceeded: the lists of the operation could have more than 200000 rows together; give smaller "first"',
    );
    expect(await run('analyst', query.replace('200', '199'), first)).toMatchObject({
      allTenants: {
        nodes: [
          {
            customersByTenantId: {
              nodes: [
                { invoicesByCustomerId: { totalCount: 2 } },
                { invoicesByCustomerId: { totalCount: 1 } },
              ],
            },
          },
        ],
      },
    });
  });

  test('returns counts and sums to a role with allow_aggregations', async () => {
    const query = `{ allCustomers(orderBy: INVOICES_BY_CUSTOMER_ID_COUNT_DESC) { totalCount nodes {
      name invoicesByCustomerId { aggregates { sum { total } } } } } }`;
    expect(await run('analyst', query, second)).toEqual({
      allCustomers: {
        totalCount: 1,
        nodes: [{ name: 'Cyd', invoicesByCustomerId: { aggregates: { sum: { total: '40.00' } } } }],
      },
    });
  });
});

describe("in PostGraphile's dialect, the schema of a role does not contain", () => {
  test.each([
    ['a hidden column', 'clerk', '{ allInvoices { nodes { margin } } }', 'margin'],
    [
      'a hidden column in a condition',
      'guest',
      '{ allInvoices(condition: {note: "x"}) { nodes { number } } }',
      'note',
    ],
    [
      'a hidden column in an ordering',
      'clerk',
      '{ allInvoices(orderBy: MARGIN_ASC) { nodes { number } } }',
      'MARGIN_ASC',
    ],
    ['a table without a rule', 'clerk', '{ allAudits { nodes { line } } }', 'allAudits'],
    [
      'totalCount without allow_aggregations',
      'clerk',
      '{ allInvoices { totalCount } }',
      'totalCount',
    ],
    [
      'aggregates without allow_aggregations',
      'clerk',
      '{ allInvoices { aggregates { keys } } }',
      'aggregates',
    ],
    [
      'grouped aggregates without allow_aggregations',
      'clerk',
      '{ allInvoices { groupedAggregates(groupBy: [TOTAL]) { keys } } }',
      'groupedAggregates',
    ],
    [
      'an ordering by a count without allow_aggregations',
      'clerk',
      '{ allCustomers(orderBy: INVOICES_BY_CUSTOMER_ID_COUNT_ASC) { nodes { name } } }',
      'INVOICES_BY_CUSTOMER_ID_COUNT_ASC',
    ],
    [
      'a list that query_root_fields leaves out',
      'guest',
      '{ allCustomers { nodes { name } } }',
      'allCustomers',
    ],
    [
      'a node id of a table without readable keys',
      'keyless',
      '{ allInvoices { nodes { id } } }',
      'id',
    ],
    ['an untracked function', 'admin', '{ untrackedCount }', 'untrackedCount'],
    [
      'an untracked computed column',
      'admin',
      '{ allCustomers { nodes { untracked } } }',
      'untracked',
    ],
    [
      'a mutation for an untracked function',
      'admin',
      'mutation { untrackedWrite(input: {}) { integer } }',
      'untrackedWrite',
    ],
    [
      'an insert with backend_only',
      'robot',
      'mutation { createInvoice(input: {}) { clientMutationId } }',
      'mutation',
    ],
    [
      'a write to a table that the role reads through a view',
      'operator',
      'mutation { deleteCustomerByRowId(input: {rowId: 1}) { clientMutationId } }',
      'mutation',
    ],
  ])('%s', async (_what, role, query, name) => {
    const answer = await run(role, query, first);
    expect(answer).toMatch(/^validation-failed: /);
    expect(answer).toContain(name);
  });

  test('untracked functions, but does contain tracked functions and computed columns that the role may call', async () => {
    const query =
      '{ largeInvoices(threshold: "30") { nodes { number } } customerByRowId(rowId: 1) { label } }';
    expect(await run('admin', query)).toEqual({
      largeInvoices: { nodes: [{ number: 'A-3' }, { number: 'B-1' }] },
      customerByRowId: { label: 'Ada of 1' },
    });
  });
});

describe("a mutation in PostGraphile's dialect", () => {
  const count = async () => {
    const answer = await run('admin', '{ allInvoices { totalCount } }');
    return (answer as { allInvoices: { totalCount: number } }).allInvoices.totalCount;
  };
  const create = (number: string) =>
    `createInvoice(input: {invoice: {customerId: 1, number: "${number}"}}) { invoice { tenantId number } }`;

  test("sets columns by the presets of the role's rule", async () => {
    expect(await run('clerk', `mutation { ${create('N-1')} }`, first)).toEqual({
      createInvoice: { invoice: { tenantId: 1, number: 'N-1' } },
    });
    const patch = `mutation { updateInvoiceByNumber(input: {number: "N-1", invoicePatch: {total: "7"}}) { invoice { total } } }`;
    expect(await run('clerk', patch, first)).toEqual({
      updateInvoiceByNumber: { invoice: { total: '7.00' } },
    });
    const remove = `mutation { deleteInvoiceByNumber(input: {number: "N-1"}) { invoice { number } } }`;
    expect(await run('clerk', remove, first)).toEqual({
      deleteInvoiceByNumber: { invoice: { number: 'N-1' } },
    });
  });

  test('is rolled back when one of its fields fails', async () => {
    const before = await count();
    const query = `mutation { one: ${create('M-1')} two: ${create('A-1')} }`;
    expect(await run('clerk', query, first)).toBe(
      'constraint-violation: Uniqueness violation. duplicate key value violates unique constraint "invoice_number_key"',
    );
    expect(await count()).toBe(before);
  });

  test('is rolled back when reading its result fails', async () => {
    const before = await count();
    const query = `mutation { createInvoice(input: {invoice: {tenantId: 1, customerId: 1, number: "R-1"}}) {
      query { invoiceByRowId(rowId: 1) { number } divide } } }`;
    expect(await run('admin', query, first)).toContain('divide');
    expect(await count()).toBe(before);
  });

  test('changes no row of another tenant', async () => {
    const patch =
      'mutation { updateInvoiceByRowId(input: {rowId: 4, invoicePatch: {total: "1"}}) { invoice { total } } }';
    expect(await run('clerk', patch, first)).toEqual({ updateInvoiceByRowId: { invoice: null } });
    const remove = 'mutation { deleteInvoiceByRowId(input: {rowId: 4}) { invoice { total } } }';
    expect(await run('clerk', remove, first)).toBe(
      'not-found: there is no such row that the role may delete',
    );
    const query = '{ invoiceByRowId(rowId: 4) { total } }';
    expect(await run('admin', query)).toEqual({ invoiceByRowId: { total: '40.00' } });
  });

  test('can write columns that the role may write but not read', async () => {
    const query =
      'mutation { createAudit(input: {audit: {rowId: 2, line: "closed"}}) { clientMutationId } }';
    expect(await run('logger', query)).toEqual({ createAudit: { clientMutationId: null } });
    const back =
      'mutation { createAudit(input: {audit: {rowId: 3, line: "x"}}) { audit { line } } }';
    expect(await run('logger', back)).toContain('Cannot query field "audit"');
  });
});

describe('the compiled PostGraphile schema of a role', () => {
  const of = (name: string, isBackend = false) => {
    const role = stock.model.roles.get(name);
    if (!role) throw new Error(`there is no role ${name}`);
    return stock.engines.of({ role, variables: new Map(), isBackend });
  };

  test('is built once, and a second time for requests with backend-only permissions', () => {
    expect(of('robot')).toBe(of('robot'));
    expect(of('robot', true)).not.toBe(of('robot'));
  });

  test('is built again after the role was unused for 20 minutes', () => {
    const idle = of('guest');
    const used = of('clerk');
    const now = performance.now();
    const clock = vi.spyOn(performance, 'now');
    clock.mockReturnValue(now + 10 * 60_000);
    of('clerk');
    clock.mockReturnValue(now + 20 * 60_000);
    // A request of a role without a schema removes the schemas of idle roles.
    of('logger', true);
    expect(of('clerk')).toBe(used);
    expect(of('guest')).not.toBe(idle);
    clock.mockRestore();
  });
});

test('while 20 operations of one caller wait, an operation of another caller runs before most of them', async () => {
  const ran: string[] = [];
  const send = async (tenant: string, index: number) => {
    const fields = Array.from({ length: 200 }, (_, at) => `a${index}x${at}: id`).join(' ');
    const options = { session: { tenant_id: tenant } };
    expect(await run('clerk', `{ ${fields} }`, options)).toMatchObject({
      [`a${index}x0`]: 'query',
    });
    ran.push(tenant);
  };
  const many = Array.from({ length: 20 }, (_, index) => send('1', index));
  await nextTurn();
  await send('2', 20);
  expect(ran.filter((tenant) => tenant === '1').length).toBeLessThan(5);
  await Promise.all(many);
});
