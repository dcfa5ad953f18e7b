/** One query, in the form that each contender needs. */
export interface Question {
  readonly name: string;
  readonly hasura: string;
  readonly postgraphile: string;
  /** Hand-written SQL: one column with the JSON of `data`. */
  readonly sql: string;
  readonly writes?: true;
  readonly variables: (turn: number) => Readonly<Record<string, string>>;
}

// Selects rows of tenant 1: wallets with an even number belong to organizations with an odd one.
const walletId = (turn: number) =>
  `10000000-0000-4000-8000-${String(((turn % 500) + 1) * 2).padStart(12, '0')}`;

export const questions: readonly Question[] = [
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
    variables: (turn) => ({ id: walletId(turn) }),
  },
  {
    name: 'list of 50 with an object',
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
    variables: () => ({}),
  },
  {
    name: 'nested lists with an aggregate',
    hasura: `{ organization(order_by: {id: asc}, limit: 20) {
      id name wallets(order_by: {id: asc}, limit: 5) { id name balance }
      wallets_aggregate { aggregate { count sum { balance } } }
    } }`,
    postgraphile: `{ allOrganizationsList(orderBy: [ROW_ID_ASC], first: 20) {
      rowId name walletsByOrganizationIdList(orderBy: [ROW_ID_ASC], first: 5) { rowId name balance }
      walletsByOrganizationId { totalCount aggregates { sum { balance } } }
    } }`,
    sql: `select json_build_object('organization', (select coalesce(json_agg(x), '[]') from (
      select id, name,
        (select coalesce(json_agg(y), '[]') from (select id, name, balance from public.wallet w
          where w.organization_id = o.id order by id limit 5) y) as wallets,
        (select json_build_object('aggregate', json_build_object('count', count(*), 'sum',
          json_build_object('balance', sum(balance)))) from public.wallet w
          where w.organization_id = o.id) as wallets_aggregate
      from public.organization o order by id limit 20) x))::text`,
    variables: () => ({}),
  },
  {
    name: 'update_by_pk',
    hasura: `mutation ($id: uuid!, $name: String) {
      update_wallet_by_pk(pk_columns: {id: $id}, _set: {name: $name}) { id name balance }
    }`,
    postgraphile: `mutation ($id: UUID!, $name: String) {
      updateWalletByRowId(input: {rowId: $id, walletPatch: {name: $name}}) { wallet { rowId name balance } }
    }`,
    sql: `with m as (update public.wallet set name = $2 where id = $1::uuid returning id, name, balance)
      select json_build_object('update_wallet_by_pk', (select to_json(m) from m))::text`,
    writes: true,
    variables: (turn) => ({ id: walletId(turn), name: `Wallet of turn ${turn % 1000}` }),
  },
  {
    name: 'insert_one',
    hasura: `mutation ($organization: uuid!, $name: String!) {
      insert_note_one(object: {tenant_id: 1, organization_id: $organization, text: $name}) { text written_at }
    }`,
    postgraphile: `mutation ($organization: UUID!, $name: String!) {
      createNote(input: {note: {tenantId: 1, organizationId: $organization, text: $name}}) { note { text writtenAt } }
    }`,
    sql: `with m as (insert into public.note (tenant_id, organization_id, text) values (1, $1::uuid, $2) returning text, written_at)
      select json_build_object('insert_note_one', (select to_json(m) from m))::text`,
    writes: true,
    variables: (turn) => ({
      organization: `00000000-0000-4000-8000-${String((turn % 200) * 2 + 1).padStart(12, '0')}`,
      name: `Note of turn ${turn}`,
    }),
  },
];
