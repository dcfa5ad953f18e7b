import type pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { formatDiagnostic, Report } from '../../permissions/diagnostics.ts';
import type { RawMetadata } from '../../permissions/metadata/load-metadata.ts';
import { loadMetadata } from '../../permissions/metadata/load-metadata.ts';
import type {
  RawColumns,
  RawPermissions,
} from '../../permissions/metadata/schemas/tables/table-rules.ts';
import type { RawNode } from '../../permissions/metadata/yaml/node.ts';
import { createDatabase, type TestDatabase } from '../support/database.ts';

let database: TestDatabase;
let owner: pg.Client;
let metadata: RawMetadata;

beforeAll(async () => {
  const report = new Report();
  const loaded = await loadMetadata('metadata', report);
  expect(report.diagnostics.map(formatDiagnostic)).toEqual([]);
  metadata = loaded as RawMetadata;
  database = await createDatabase({ from: 'platform' });
  owner = await database.connectOwner();
});
afterAll(() => database.drop());

const groups = {
  Core: ['user', 'organization_admin', 'organization_member'],
  Finance: ['accounting', 'auditor', 'compliance', 'front_office'],
  Fund: ['fund_manager', 'fund_signatory', 'investor'],
  Trading: ['trader', 'digital_wallets_admin'],
  Administrative: ['client_user_admin', 'kyc_sdk_user', 'workflow_sdk_user'],
  Other: ['family_office', 'director', 'shareholder', 'beneficial_owner', 'card_holder'],
};

test('roles.yaml of the platform declares the twenty roles in their groups', () => {
  const declared = Object.groupBy(metadata.roles, (role) => role.group);
  const names = Object.entries(declared).map(([group, roles]) => [
    group,
    roles?.map((r) => r.name),
  ]);
  expect(Object.fromEntries(names)).toEqual(groups);
});

test.each([
  [
    'X-Gql-Organization-Id',
    ['organization_admin', 'organization_member', 'client_user_admin', 'family_office'],
  ],
  [
    'X-Gql-User-Id',
    [
      'user',
      'investor',
      'kyc_sdk_user',
      'workflow_sdk_user',
      'shareholder',
      'beneficial_owner',
      'card_holder',
    ],
  ],
  ['X-Gql-Allowed-Funds', ['fund_manager', 'fund_signatory', 'investor']],
])('the roles whose rules depend on %s, and no others, require it', (variable, roles) => {
  const requiring = metadata.roles.filter((role) =>
    role.requires.some((one) => one.name === variable),
  );
  expect(requiring.map((role) => role.name).sort()).toEqual([...roles].sort());
});

test('at least one person of the demo data has each role of the platform', async () => {
  const { rows } = await owner.query('select distinct role from public.user_role order by role');
  const declared = metadata.roles.map((role) => role.name);
  expect(rows.map((row) => row.role).sort()).toEqual([...declared].sort());
});

test('every table of the platform has a metadata file', async () => {
  const { rows } = await owner.query(
    `select relname from pg_catalog.pg_class where relnamespace = 'public'::regnamespace and relkind = 'r'`,
  );
  const files = metadata.tables.map((table) => table.name);
  expect(files.sort()).toEqual(rows.map((row) => row.relname).sort());
});

/** Returns a node as plain data. */
function plain(node: RawNode): unknown {
  if (node.kind === 'scalar') return node.value;
  if (node.kind === 'list') return node.items.map(plain);
  return Object.fromEntries(node.entries.map(({ key, value }) => [key, plain(value)]));
}

function columnsOf(columns: RawColumns): '*' | readonly string[] {
  return columns.kind === 'all' ? '*' : columns.names.map(({ name }) => name);
}

function rulesOf(role: string, table: string): RawPermissions | undefined {
  const found = metadata.tables.find((one) => one.name === table);
  return found?.permissions.find((one) => one.role.name === role);
}

const own = { _filter: 'own_organization' };
const funds = { _in: 'X-Gql-Allowed-Funds' };
const me = { _eq: 'X-Gql-User-Id' };
const ofInvoice = [
  ...['id', 'organization_id', 'invoice_number', 'total', 'currency', 'status'],
  ...['issued_on', 'due_on', 'paid_at'],
];

test('the named filter own_organization compares organization_id with the session variable', () => {
  const named = metadata.filters.find(({ name }) => name.name === 'own_organization');
  expect(named && plain(named.filter)).toEqual({
    organization_id: { _eq: 'X-Gql-Organization-Id' },
  });
});

/**
 * The select rules that the platform guarantees: role, table, filter, columns, aggregations. matrix.md contains all
 * other rules.
 */
const selectRules: readonly [string, string, object, '*' | readonly string[], boolean][] = [
  [
    'organization_admin',
    'digital_wallet',
    own,
    ['id', 'label', 'coin', 'wallet_type', 'usd_value', 'created_at'],
    true,
  ],
  [
    'investor',
    'fund_subscription',
    { _and: [{ user_id: me }, { fund_id: funds }] },
    ['id', 'fund_id', 'subscription_amount', 'status', 'created_at'],
    false,
  ],
  ['accounting', 'invoice', {}, '*', true],
  [
    'front_office',
    'digital_wallet',
    {},
    ['id', 'label', 'coin', 'wallet_type', 'usd_value', 'status'],
    true,
  ],
  ['front_office', 'otc_quote', {}, '*', true],
  ['auditor', 'invoice', {}, [...ofInvoice, 'internal_notes', 'updated_at'], false],
  ['organization_admin', 'invoice', own, ofInvoice, false],
];

test.each(selectRules)(
  'the select rule of %s on %s has the documented filter, columns and aggregations',
  (role, table, filter, columns, aggregations) => {
    const select = rulesOf(role, table)?.select;
    expect(select && plain(select.filter)).toEqual(filter);
    expect(select && columnsOf(select.columns)).toEqual(columns);
    expect(select?.allowAggregations).toBe(aggregations);
  },
);

test.each(['digital_wallet', 'address_book_entry'])(
  'organization_admin has the documented insert, update and delete rule on %s',
  (table) => {
    const rules = rulesOf('organization_admin', table);
    expect(rules?.insert && plain(rules.insert.check)).toEqual(own);
    expect(rules?.insert?.set.map(({ name, value }) => [name, plain(value)])).toEqual([
      ['created_by', 'X-Gql-User-Id'],
    ]);
    expect(rules?.insert && columnsOf(rules.insert.columns)).toEqual(['label', 'description']);
    expect(rules?.update && plain(rules.update.filter)).toEqual(own);
    expect(rules?.update?.check && plain(rules.update.check)).toEqual({
      status: { _neq: 'locked' },
    });
    expect(rules?.update && columnsOf(rules.update.columns)).toEqual(['label', 'description']);
    expect(rules?.delete && plain(rules.delete.filter)).toEqual({
      _and: [own, { status: { _eq: 'draft' } }],
    });
  },
);
