/** The sender of requests. */
export interface Caller {
  readonly role: 'tenant' | 'reader';
  readonly tenant: number;
}

/** A request and the only correct answer to it. */
export interface SoakExchange {
  readonly query: string;
  readonly variables: Readonly<Record<string, unknown>>;
  /** The code of the expected error; absent: the answer must have data. */
  readonly errorCode?: string;
  /** Returns whether the data belongs to the caller and to the request. */
  readonly accepts?: (data: Record<string, unknown>) => boolean;
}

/** Makes the exchange of a caller for one turn. A unique mark stands in everything that the turn writes. */
type MakeExchange = (caller: Caller, turn: number) => SoakExchange;

const WALLETS = 20_000;
const ORGANIZATIONS = 400;

const id = (start: number, number: number) =>
  `${start}0000000-0000-4000-8000-${String(number).padStart(12, '0')}`;

// Wallets with even numbers belong to tenant 1, and organizations with odd numbers.
const walletOf = (tenant: number, turn: number) =>
  id(1, 2 * (1 + ((turn * 7919) % (WALLETS / 2 - 1))) + (tenant === 1 ? 0 : 1));
const organizationOf = (tenant: number, turn: number) =>
  id(0, 2 * (1 + (turn % (ORGANIZATIONS / 2 - 1))) + tenant);
const other = (tenant: number) => 1 - tenant;
const markOf = ({ role, tenant }: Caller, turn: number) => `${role} of ${tenant}, turn ${turn}`;
const isEqual = (one: unknown, another: unknown) => JSON.stringify(one) === JSON.stringify(another);

const byKey = 'query ($id: uuid!) { wallet_by_pk(id: $id) { id tenant_id } }';
const insert = `mutation ($tenant: Int!, $organization: uuid!, $text: String!) {
  insert_note_one(object: {tenant_id: $tenant, organization_id: $organization, text: $text}) { tenant_id text }
}`;
const update = `mutation ($id: uuid!, $name: String!) {
  update_wallet_by_pk(pk_columns: {id: $id}, _set: {name: $name}) { id tenant_id name }
}`;
const list = `query ($offset: Int!) { wallet(order_by: {id: asc}, limit: 20, offset: $offset) {
  tenant_id organization { tenant_id }
} }`;

const reads: readonly MakeExchange[] = [
  ({ tenant }, turn) => {
    const row = { id: walletOf(tenant, turn), tenant_id: tenant };
    return {
      ...{ query: byKey, variables: { id: row.id } },
      accepts: ({ wallet_by_pk: found }) => isEqual(found, row),
    };
  },
  ({ tenant }, turn) => ({
    ...{ query: byKey, variables: { id: walletOf(other(tenant), turn) } },
    accepts: ({ wallet_by_pk: found }) => found === null,
  }),
  ({ tenant }, turn) => {
    const row = { tenant_id: tenant, organization: { tenant_id: tenant } };
    return {
      ...{ query: list, variables: { offset: turn % 5000 } },
      accepts: ({ wallet: found }) => isEqual(found, Array(20).fill(row)),
    };
  },
  () => ({
    ...{ query: '{ wallet { no_such_column } }', variables: {} },
    errorCode: 'validation-failed',
  }),
  () => ({ query: byKey, variables: { id: 'no uuid' }, errorCode: 'data-exception' }),
];

const writes: readonly MakeExchange[] = [
  (caller, turn) => {
    const { tenant } = caller;
    const [organization, text] = [organizationOf(tenant, turn), markOf(caller, turn)];
    return {
      ...{ query: insert, variables: { tenant, organization, text } },
      accepts: ({ insert_note_one: found }) => isEqual(found, { tenant_id: tenant, text }),
    };
  },
  (caller, turn) => {
    const tenant = other(caller.tenant);
    const [organization, text] = [organizationOf(tenant, turn), markOf(caller, turn)];
    const variables = { tenant, organization, text };
    return { query: insert, variables, errorCode: 'permission-error' };
  },
  (caller, turn) => {
    const row = {
      ...{ id: walletOf(caller.tenant, turn), tenant_id: caller.tenant },
      name: markOf(caller, turn),
    };
    return {
      ...{ query: update, variables: { id: row.id, name: row.name } },
      accepts: ({ update_wallet_by_pk: found }) => isEqual(found, row),
    };
  },
  (caller, turn) => ({
    query: update,
    variables: { id: walletOf(other(caller.tenant), turn), name: markOf(caller, turn) },
    accepts: ({ update_wallet_by_pk: found }) => found === null,
  }),
];

const refusedWrites: readonly MakeExchange[] = [
  (caller, turn) => ({
    query: update,
    variables: { id: walletOf(caller.tenant, turn), name: markOf(caller, turn) },
    errorCode: 'validation-failed',
  }),
];

/** A query that takes so long that its sender can leave before the answer. */
export const slowQuery = `{ wallet(limit: 500, order_by: {name: asc}) {
  name organization { name wallets(limit: 20) { name } }
} }`;

const exchanges = { tenant: [...reads, ...writes], reader: [...reads, ...refusedWrites] };

export function exchangeOf(caller: Caller, turn: number): SoakExchange {
  const found = exchanges[caller.role];
  const make = found[turn % found.length] ?? reads[0];
  if (!make) throw new Error('there are no requests');
  return make(caller, turn);
}

/** `failed`: the server refused or could not answer. `wrong`: it answered with other data. */
export type Outcome = 'correct' | 'wrong' | 'failed';

export function judge({ errorCode, accepts }: SoakExchange, text: string): Outcome {
  const { data, errors } = JSON.parse(text);
  if (errors !== undefined) {
    return errorCode !== undefined && errors[0]?.extensions?.code === errorCode
      ? 'correct'
      : 'failed';
  }
  return data && accepts?.(data) === true ? 'correct' : 'wrong';
}
