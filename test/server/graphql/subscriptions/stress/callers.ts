import { type Ask, headersOf } from '../../support/gateway.ts';

/** The organizations with callers. Writers also write rows of the organization `foreign`, which no caller may see. */
export const organizations = 20;
export const foreign = 99;
const persons = 10;
/** Rows that only late transactions change: one of each organization for each transaction. */
export const lateRows = { first: 801, last: 900 };

export const schema = `
create table item (id int primary key, org int not null, name text not null, at timestamptz not null);
create table membership (id int primary key, person int not null, org int not null);
insert into item select n, 1 + n % ${organizations}, 'x', '2026-01-01' from generate_series(1, 200) n;
insert into item select n, 1 + (n - 1) % ${organizations}, 'late', '2026-01-01'
  from generate_series(${lateRows.first}, ${lateRows.last}) n;
insert into item select -n, ${foreign}, 'foreign', '2026-01-01' from generate_series(1, 20) n;
insert into membership select 10 * p + n, p, p + n from generate_series(1, ${persons}) p, generate_series(0, 2) n;`;

const columns = "columns: '*', allow_aggregations: true";

export const metadata = {
  'roles.yaml': `
roles:
  member: { requires: [X-Gql-Org] }
  auditor: { requires: [X-Gql-Orgs] }
  guest: { requires: [X-Gql-Person] }
`,
  'tables/item.yaml': `
table: item
live: true
permissions:
  member: { select: { filter: { org: { _eq: X-Gql-Org } }, ${columns} } }
  auditor: { select: { filter: { org: { _in: X-Gql-Orgs }, name: { _neq: hidden } }, ${columns} } }
  guest:
    select:
      filter: { _exists: { _table: membership, _where: { person: { _eq: X-Gql-Person }, org: { _ceq: [$, org] } } } }
      ${columns.replace(', ', '\n      ')}
`,
  'tables/membership.yaml': `
table: membership
live: { keys: [id, person] }
permissions: {}
`,
};

export interface Row {
  readonly id: number;
  readonly org: number;
  readonly name: string;
}

/** A role with session variables, and what it watches. */
export interface StressCaller {
  readonly ask: Ask;
  readonly headers: Readonly<Record<string, string>>;
  /** The root fields of the live queries. */
  readonly fields: readonly string[];
  /** Whether the role's rules never depend on another table, so that a stream has exactly the visible rows. */
  readonly streams: boolean;
  /** Returns whether the role may see this version of a row at any time. */
  maySee(row: Row): boolean;
}

/** 20 members, 10 auditors and 10 guests with five live queries each: 200 cohorts. */
export function makeCallers(): readonly StressCaller[] {
  const members = numbers(organizations).map((org) =>
    caller(['member', { Org: String(org) }], org, (row) => row.org === org),
  );
  const auditors = numbers(10).map((org) =>
    caller(
      ['auditor', { Orgs: `{${org},${org + 10}}` }],
      org,
      (row) => [org, org + 10].includes(row.org) && row.name !== 'hidden',
    ),
  );
  const guests = numbers(persons).map((person) => ({
    ...caller(
      ['guest', { Person: String(person) }],
      person,
      // Writers give memberships of these organizations only.
      (row) => row.org >= person && row.org <= person + 2,
    ),
    streams: false,
  }));
  return [...members, ...auditors, ...guests];
}

function caller(
  [role, variables]: readonly [string, Readonly<Record<string, string>>],
  number: number,
  maySee: StressCaller['maySee'],
): StressCaller {
  const ask = { role, variables };
  const fields = [
    'item(order_by: { id: asc }) { id org name }',
    'item_aggregate(where: { name: { _neq: "1" } }) { aggregate { count } }',
    `item_by_pk(id: ${7 * number}) { id org name }`,
    'item(order_by: [{ name: desc }, { id: asc }], limit: 5) { id org name }',
    `item(where: { name: { _in: ["3", "hidden"] }, id: { _lt: 100 } }, order_by: { id: asc }) { id org name }`,
  ];
  return { ask, headers: headersOf(ask), fields, streams: true, maySee };
}

function numbers(count: number): readonly number[] {
  return Array.from({ length: count }, (_, index) => index + 1);
}
