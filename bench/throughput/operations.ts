/** Values of the variables of an operation. */
export type Variables = Readonly<Record<string, unknown>>;

/** One operation in the forms that the contenders need. All forms return the same values in the same order. */
export interface Operation {
  readonly name: string;
  readonly hasura: string;
  readonly postgraphile: string;
  /** Hand-written SQL: one column with the JSON of `data`. Its parameters are the variables in their order. */
  readonly sql: string;
  readonly writes?: true;
  /** The number of different requests. */
  readonly variants: number;
  readonly variables: (turn: number) => Variables;
  /** Variables for `postgraphile`; default: the same. */
  readonly postgraphileVariables?: (turn: number) => Variables;
  /** SQL expressions of the parameters for pgbench, from its variable `:turn`. */
  readonly parameters: readonly string[];
}

/** Returns the text of each parameter of the hand-written SQL. */
export function parametersOf(variables: Variables): readonly string[] {
  return Object.values(variables).map((value) =>
    typeof value === 'string' ? value : JSON.stringify(value),
  );
}

export function bodyOf({ hasura: query, variables }: Operation, turn: number): string {
  return JSON.stringify({ query, variables: variables(turn) });
}

export function postgraphileBodyOf(operation: Operation, turn: number): string {
  const variables = operation.postgraphileVariables ?? operation.variables;
  return JSON.stringify({ query: operation.postgraphile, variables: variables(turn) });
}

const id = (start: number, number: number) =>
  `${start}0000000-0000-4000-8000-${String(number).padStart(12, '0')}`;
const idInSql = (start: number, number: string) =>
  `('${start}0000000-0000-4000-8000-' || lpad((${number})::text, 12, '0'))`;

// Tenant 1 has the organizations with odd numbers and the wallets with even ones.
const organizationNumber = (turn: number) => (turn % 200) * 2 + 1;
const organizationId = (turn: number) => id(0, organizationNumber(turn));
const organizationInSql = ':turn % 200 * 2 + 1';
const readWallet = (turn: number) => id(1, (turn + 1) * 2);
// No query reads the names of these wallets, so its answer remains the same.
const changedWallet = (turn: number) => id(1, 10_000 + (turn + 1) * 2);

const insertedRows = 100;
const notes = (turn: number) =>
  Array.from({ length: insertedRows }, (_, index) => ({
    tenant_id: 1,
    organization_id: organizationId(turn),
    text: `Note ${index} of turn ${turn}`,
  }));
const noteNames = Array.from({ length: insertedRows }, (_, index) => `n${index}`);

export const operations: readonly Operation[] = [
  {
    name: 'by_pk',
    hasura: `query ($id: uuid!) { wallet_by_pk(id: $id) {
      id name balance currency active organization_id created_at
    } }`,
    postgraphile: `query ($id: UUID!) { walletByRowId(rowId: $id) {
      rowId name balance currency active organizationId createdAt
    } }`,
    sql: `select json_build_object('wallet_by_pk', (select to_json(x) from (
      select id, name, balance, currency, active, organization_id, created_at
      from public.wallet where id = $1::uuid) x))::text`,
    variants: 500,
    variables: (turn) => ({ id: readWallet(turn) }),
    parameters: [idInSql(1, '(:turn + 1) * 2')],
  },
  {
    name: 'list',
    hasura: `{ wallet(order_by: {id: asc}, limit: 50) {
      id name balance currency created_at organization { id name country }
    } }`,
    postgraphile: `{ allWalletsList(orderBy: [ROW_ID_ASC], first: 50) {
      rowId name balance currency createdAt organization: organizationByOrganizationId { rowId name country }
    } }`,
    sql: `select json_build_object('wallet', (select coalesce(json_agg(x), '[]') from (
      select id, name, balance, currency, created_at, (select to_json(o) from (
        select id, name, country from public.organization o where o.id = w.organization_id) o) as organization
      from public.wallet w order by id limit 50) x))::text`,
    variants: 1,
    variables: () => ({}),
    parameters: [],
  },
  {
    name: 'nested',
    hasura: `{ organization(order_by: {id: asc}, limit: 20) {
      id name wallets(order_by: {id: asc}, limit: 5) { id name balance }
    } }`,
    postgraphile: `{ allOrganizationsList(orderBy: [ROW_ID_ASC], first: 20) {
      rowId name walletsByOrganizationIdList(orderBy: [ROW_ID_ASC], first: 5) { rowId name balance }
    } }`,
    sql: `select json_build_object('organization', (select coalesce(json_agg(x), '[]') from (
      select id, name,
        (select coalesce(json_agg(y), '[]') from (select id, name, balance from public.wallet w
          where w.organization_id = o.id order by id limit 5) y) as wallets
      from public.organization o order by id limit 20) x))::text`,
    variants: 1,
    variables: () => ({}),
    parameters: [],
  },
  {
    name: 'aggregate',
    hasura: `query ($organization: uuid!) { wallet_aggregate(where: {organization_id: {_eq: $organization}}) {
      aggregate { count sum { balance } max { balance } }
    } }`,
    postgraphile: `query ($organization: UUID!) { allWallets(condition: {organizationId: $organization}) {
      totalCount aggregates { sum { balance } max { balance } }
    } }`,
    sql: `select json_build_object('wallet_aggregate', (select json_build_object('aggregate', json_build_object(
      'count', count(*), 'sum', json_build_object('balance', sum(balance)),
      'max', json_build_object('balance', max(balance))))
      from public.wallet where organization_id = $1::uuid))::text`,
    variants: 200,
    variables: (turn) => ({ organization: organizationId(turn) }),
    parameters: [idInSql(0, organizationInSql)],
  },
  {
    name: 'relationship filter',
    hasura: `query ($name: String!) {
      wallet(where: {organization: {name: {_eq: $name}}}, order_by: {id: asc}, limit: 20) { id name balance }
    }`,
    // PostGraphile has no filters by related rows, so this begins at the organization.
    postgraphile: `query ($name: String!) { allOrganizationsList(condition: {name: $name}) {
      walletsByOrganizationIdList(orderBy: [ROW_ID_ASC], first: 20) { rowId name balance }
    } }`,
    sql: `select json_build_object('wallet', (select coalesce(json_agg(x), '[]') from (
      select id, name, balance from public.wallet w where exists (
        select from public.organization o where o.id = w.organization_id and o.name = $1)
      order by id limit 20) x))::text`,
    variants: 200,
    variables: (turn) => ({ name: `Organization ${organizationNumber(turn)}` }),
    parameters: [`('Organization ' || (${organizationInSql})::text)`],
  },
  {
    name: 'insert',
    hasura: `mutation ($organization: uuid!, $text: String!) {
      insert_note_one(object: {tenant_id: 1, organization_id: $organization, text: $text}) { text written_at }
    }`,
    postgraphile: `mutation ($organization: UUID!, $text: String!) {
      createNote(input: {note: {tenantId: 1, organizationId: $organization, text: $text}}) { note { text writtenAt } }
    }`,
    sql: `with m as (insert into public.note (tenant_id, organization_id, text) values (1, $1::uuid, $2) returning text, written_at)
      select json_build_object('insert_note_one', (select to_json(m) from m))::text`,
    writes: true,
    variants: 200,
    variables: (turn) => ({ organization: organizationId(turn), text: `Note of turn ${turn}` }),
    parameters: [idInSql(0, organizationInSql), `('Note of turn ' || :turn::text)`],
  },
  {
    name: 'insert 100',
    hasura: `mutation ($objects: [note_insert_input!]!) {
      insert_note(objects: $objects) { returning { text } }
    }`,
    // PostGraphile has no insert of several rows, so this has a field for each row. Rowgate allows it 300 fields.
    postgraphile: `mutation (${noteNames.map((name) => `$${name}: NoteInput!`).join(', ')}) {
      ${noteNames.map((name) => `${name}: createNote(input: {note: $${name}}) { note { text } }`).join('\n')}
    }`,
    sql: `with m as (insert into public.note (tenant_id, organization_id, text)
        select tenant_id, organization_id, text
        from json_to_recordset($1::json) x (tenant_id int, organization_id uuid, text text)
        returning text)
      select json_build_object('insert_note', json_build_object('returning', (select json_agg(m) from m)))::text`,
    writes: true,
    variants: 20,
    variables: (turn) => ({ objects: notes(turn) }),
    postgraphileVariables: (turn) =>
      Object.fromEntries(
        notes(turn).map(({ tenant_id: tenantId, organization_id: organizationId, text }, index) => [
          `n${index}`,
          { tenantId, organizationId, text },
        ]),
      ),
    parameters: [
      `(select json_agg(json_build_object('tenant_id', 1, 'organization_id', ${idInSql(0, organizationInSql)},
        'text', 'Note ' || i || ' of turn ' || :turn::text) order by i) from generate_series(0, ${insertedRows - 1}) i)`,
    ],
  },
  {
    name: 'update',
    hasura: `mutation ($id: uuid!, $name: String) {
      update_wallet_by_pk(pk_columns: {id: $id}, _set: {name: $name}) { id name balance }
    }`,
    postgraphile: `mutation ($id: UUID!, $name: String) {
      updateWalletByRowId(input: {rowId: $id, walletPatch: {name: $name}}) { wallet { rowId name balance } }
    }`,
    sql: `with m as (update public.wallet set name = $2 where id = $1::uuid returning id, name, balance)
      select json_build_object('update_wallet_by_pk', (select to_json(m) from m))::text`,
    writes: true,
    variants: 500,
    variables: (turn) => ({ id: changedWallet(turn), name: `Wallet of turn ${turn}` }),
    parameters: [idInSql(1, '10000 + (:turn + 1) * 2'), `('Wallet of turn ' || :turn::text)`],
  },
];
