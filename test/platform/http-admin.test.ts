import { readdirSync } from 'node:fs';
import path from 'node:path';
import { buildClientSchema, type GraphQLSchema, getIntrospectionQuery } from 'graphql';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { createDatabase, type TestDatabase } from '../support/database.ts';
import {
  type GraphqlAnswer,
  platformMetadata,
  startTestServer,
  type TestServer,
} from '../support/http.ts';
import { type KeptRows, keepRows } from './keep-rows.ts';
import {
  columnsOf,
  documentOf,
  keyOf,
  type RootField,
  valuesFor,
  whereKey,
} from './root-fields.ts';

type Row = Readonly<Record<string, unknown>>;

const tables = readdirSync(path.join(platformMetadata, 'tables')).map((file) =>
  path.basename(file, '.yaml'),
);

const onRecord = 'what was done stays on record';
const named = 'another row names it';

const ofFiles: Readonly<Record<string, string>> = {
  case_document_organization_id_uploaded_file_id_fkey: named,
  kyc_document_organization_id_uploaded_file_id_fkey: named,
  report_organization_id_uploaded_file_id_fkey: named,
};

/** The foreign keys that may prevent the deletion of a table's rows, with the reason, by table. */
const keepers: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  asset_transaction: {
    trade_settlement_organization_id_asset_transaction_id_fkey: onRecord,
  },
  card: {
    card_transaction_organization_id_card_id_fkey: onRecord,
  },
  digital_wallet: {
    asset_transaction_organization_id_digital_wallet_id_fkey: onRecord,
    fiat_deposit_request_organization_id_digital_wallet_id_fkey: onRecord,
    fiat_withdrawal_request_organization_id_digital_wallet_id_fkey: onRecord,
    otc_quote_organization_id_digital_wallet_id_fkey: onRecord,
    portfolio_snapshot_organization_id_digital_wallet_id_fkey: onRecord,
    trade_request_organization_id_digital_wallet_id_fkey: onRecord,
  },
  fund: {
    fiat_withdrawal_request_organization_id_fund_id_fkey: onRecord,
    fund_subscription_fund_id_fkey: onRecord,
    portfolio_snapshot_organization_id_fund_id_fkey: onRecord,
    report_organization_id_fund_id_fkey: named,
    trade_request_organization_id_fund_id_fkey: onRecord,
  },
  invoice: {
    invoice_payment_organization_id_invoice_id_fkey: onRecord,
  },
  invoice_payment: {
    receipt_organization_id_invoice_payment_id_fkey: onRecord,
  },
  kyc_profile: {
    kyc_document_organization_id_kyc_profile_id_fkey: onRecord,
  },
  organization: Object.fromEntries(
    tables.map((table) => [`${table}_organization_id_fkey`, 'a row belongs to it']),
  ),
  otc_quote: {
    trade_request_organization_id_otc_quote_id_fkey: onRecord,
  },
  product: {
    invoice_line_product_code_fkey: onRecord,
  },
  trade_request: {
    trade_settlement_organization_id_trade_request_id_fkey: onRecord,
  },
  uploaded_file: ofFiles,
  user: {
    // The files of a person are deleted with the person, unless another row refers to them.
    ...ofFiles,
    card_organization_id_user_id_fkey: onRecord,
    case_organization_id_user_id_fkey: onRecord,
    fiat_deposit_request_organization_id_user_id_fkey: onRecord,
    fiat_withdrawal_request_organization_id_user_id_fkey: onRecord,
    fund_subscription_user_id_fkey: onRecord,
    kyc_profile_organization_id_user_id_fkey: onRecord,
    report_organization_id_user_id_fkey: named,
    trade_request_organization_id_user_id_fkey: onRecord,
  },
};

/** Tables whose rows cannot be deleted, because other rows of the demo data refer to each of them. */
const keptWhole: readonly string[] = ['fund', 'organization'];

let database: TestDatabase;
let superuser: pg.Client;
let server: TestServer;
let schema: GraphQLSchema;
let kept: KeptRows;
const asked = new Set<string>();

beforeAll(async () => {
  database = await createDatabase({ from: 'applied' });
  superuser = await database.connectSuperuser();
  kept = await keepRows(superuser);
  server = await startTestServer({ database, plugins: true });
  const { body } = await server.graphql(getIntrospectionQuery());
  schema = buildClientSchema(body.data);
});
afterAll(async () => {
  await server.stop();
  await database.drop();
});

async function send(name: string, variables: RootField['variables'] = {}) {
  asked.add(name);
  const query = documentOf(schema, { name, variables });
  return (await server.graphql(query, {}, variables)).body;
}

/** Returns the result of a root field. Fails on any error. */
async function run(name: string, variables: RootField['variables'] = {}) {
  const body = await send(name, variables);
  expect(body.errors, name).toBeUndefined();
  return body.data.result;
}

async function rowsOf(table: string): Promise<readonly Row[]> {
  const order = Object.keys(keyOf(schema, table, {})).map((name) => `{ ${name}: asc }`);
  const columns = columnsOf(schema, table).join(' ');
  const query = `{ rows: ${table}(order_by: [${order.join(' ')}]) { ${columns} } }`;
  return (await server.graphql(query)).body.data.rows;
}

async function firstOf(table: string): Promise<Row> {
  const [row] = await rowsOf(table);
  if (row === undefined) throw new Error(`the demo data has no row of ${table}`);
  return row;
}

/**
 * Deletes rows without running triggers or checking foreign keys, so that the test can insert or delete rows without
 * hindrance.
 */
async function takeAway(tables: readonly string[], values: Row = {}): Promise<void> {
  const conditions = Object.entries(values).map(
    ([name, value]) => `${pg.escapeIdentifier(name)} = ${pg.escapeLiteral(String(value))}`,
  );
  const where = ['true', ...conditions].join(' and ');
  const deletes = tables.map(
    (table) => `delete from public.${pg.escapeIdentifier(table)} where ${where};`,
  );
  await superuser.query(
    `begin; set local session_replication_role = replica; ${deletes.join(' ')} commit`,
  );
}

/**
 * Returns the tables whose foreign keys prevent the deletion of a row, including rows that would be deleted with the
 * row.
 */
async function tablesThatHold(table: string): Promise<readonly string[]> {
  const { rows } = await superuser.query<{ name: string }>(
    `with recursive key as (
       select conrelid, confrelid, confdeltype from pg_constraint where contype = 'f'
     ), deleted as (
       select $1::regclass::oid as id
       union
       select k.conrelid from key k join deleted d on d.id = k.confrelid where k.confdeltype = 'c'
     )
     select distinct c.relname as name
     from key k join deleted d on d.id = k.confrelid join pg_class c on c.oid = k.conrelid
     where k.confdeltype in ('a', 'r')`,
    [`public.${pg.escapeIdentifier(table)}`],
  );
  return rows.map(({ name }) => name);
}

/**
 * Deletes rows by their keys until one deletion succeeds. Returns the constraints that refused the earlier
 * deletions, and whether a deletion succeeded.
 */
async function deleteUntilDone(table: string): Promise<readonly [ReadonlySet<string>, boolean]> {
  const refused = new Set<string>();
  for (const row of await rowsOf(table)) {
    const { errors } = await send(`delete_${table}_by_pk`, keyOf(schema, table, row));
    if (errors === undefined) return [refused, true];
    refused.add(reasonOf(errors[0]));
  }
  return [refused, false];
}

/** Returns the violated constraint, or the whole text of the error. */
function reasonOf({ message, extensions }: GraphqlAnswer['body']): string {
  return /foreign key constraint "(\w+)"/.exec(message)?.[1] ?? `${extensions.code}: ${message}`;
}

describe.each(tables)('the admin role over GraphQL, reading %s,', (table) => {
  test('gets all rows', async () => {
    expect(await run(table)).toHaveLength((await rowsOf(table)).length);
  });

  test('gets a row by its key', async () => {
    const row = await firstOf(table);
    expect(await run(`${table}_by_pk`, keyOf(schema, table, row))).toMatchObject(row);
  });

  test('gets aggregates over all rows', async () => {
    const { aggregate, nodes } = await run(`${table}_aggregate`);
    expect(aggregate.count).toBe(nodes.length);
    expect(aggregate.count).toBeGreaterThan(0);
  });
});

describe.each(tables)('the admin role over GraphQL, writing %s,', (table) => {
  const input = (row: Row) => valuesFor(schema, `${table}_insert_input`, row);
  const changes = (row: Row) => valuesFor(schema, `${table}_set_input`, row);
  const keyed = (row: Row) => keyOf(schema, table, row);

  test('inserts a row', async () => {
    const row = await firstOf(table);
    await takeAway([table], keyed(row));
    expect(await run(`insert_${table}_one`, { object: input(row) })).toMatchObject(row);
  });

  test('inserts many rows at once', async () => {
    const rows = await rowsOf(table);
    await takeAway([table]);
    const { affected_rows } = await run(`insert_${table}`, { objects: rows.map(input) });
    expect(affected_rows).toBe(rows.length);
  });

  test('updates a row by its key', async () => {
    const row = await firstOf(table);
    const result = await run(`update_${table}_by_pk`, {
      pk_columns: keyed(row),
      _set: changes(row),
    });
    expect(result).toMatchObject(keyed(row));
  });

  test('updates a row by a condition', async () => {
    const row = await firstOf(table);
    const { affected_rows } = await run(`update_${table}`, {
      where: whereKey(keyed(row)),
      _set: changes(row),
    });
    expect(affected_rows).toBe(1);
  });

  test('updates many rows, each in a different way', async () => {
    const rows = (await rowsOf(table)).slice(0, 20);
    const updates = rows.map((row) => ({ where: whereKey(keyed(row)), _set: changes(row) }));
    const results = await run(`update_${table}_many`, { updates });
    expect(results.map((one: Row) => one.affected_rows)).toEqual(rows.map(() => 1));
  });
});

describe.each(tables)('the admin role over GraphQL, deleting from %s,', (table) => {
  afterEach(() => kept.restore());

  test('deletes a row by its key, unless a known foreign key of another row prevents it', async () => {
    const [refused, deleted] = await deleteUntilDone(table);
    expect(Object.keys(keepers[table] ?? {})).toEqual(expect.arrayContaining([...refused]));
    expect(deleted).toBe(!keptWhole.includes(table));
  });

  test('deletes all rows when no other row refers to them', async () => {
    const { length } = await rowsOf(table);
    await takeAway(await tablesThatHold(table));
    const { affected_rows } = await run(`delete_${table}`, { where: {} });
    expect(affected_rows).toBe(length);
  });
});

test('the tests of this file call every root field of the admin role', () => {
  const roots = [schema.getQueryType(), schema.getMutationType()];
  const names = roots.flatMap((root) => Object.keys(root?.getFields() ?? {}));
  // Root fields of plugins have separate tests.
  const all = [...asked, 'portfolioSummary', 'requestWithdrawal'];
  expect(all.sort()).toEqual(names.sort());
});
