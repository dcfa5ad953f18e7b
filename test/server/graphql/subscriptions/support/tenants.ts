import { type Gateway, headersOf, startGateway } from '../../support/gateway.ts';
import { RawSocket, type RawSocketOptions } from '../../websocket/support/raw-socket.ts';

const schema = `
create table item (
  id int primary key,
  org int not null,
  name text not null,
  at timestamptz not null default now()
);
create table note (id int primary key, org int not null, text text not null);
insert into item (id, org, name, at) values (1, 1, 'one', '2026-01-01'), (2, 2, 'two', '2026-01-01');`;

const rules = (table: string, columns: string) => `
table: ${table}
permissions:
  member:
    select: { filter: { org: { _eq: X-Gql-Org } }, columns: [${columns}], allow_aggregations: true }
    insert: { check: { org: { _eq: X-Gql-Org } }, columns: [${columns}] }
`;

export const metadata = {
  'roles.yaml':
    'roles:\n  member: { group: Test, purpose: sees its rows, requires: [X-Gql-Org] }\n',
  'tables/item.yaml': `live: true${rules('item', 'id, org, name, at')}`,
  'tables/note.yaml': rules('note', 'id, org, text').trimStart(),
};

/** Starts a gateway with two tenants. The table \`item\` is live, and \`note\` is not. */
export function startTenants(options: Parameters<typeof startGateway>[0] = {}): Promise<Gateway> {
  return startGateway({ schema, metadata, ...options });
}

export const memberOf = (org: number) =>
  headersOf({ role: 'member', variables: { Org: String(org) } });

/** Opens a socket as a member of an organization. */
export async function openSocket(
  url: string,
  org: number,
  options?: RawSocketOptions,
): Promise<RawSocket> {
  const socket = new RawSocket(url, options);
  await socket.init(memberOf(org));
  return socket;
}

export const subscribe = (id: string, query: string, variables = {}) => ({
  type: 'subscribe',
  id,
  payload: { query, variables },
});
