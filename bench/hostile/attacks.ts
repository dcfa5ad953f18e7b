/** Requests that one caller sends to slow down others. */
export interface Attack {
  readonly name: string;
  /** The number of concurrent requests. */
  readonly atOnce: number;
  /** The number of additional clients that read nothing of their answers. */
  readonly stuckClients?: number;
  readonly body: (turn: number) => string;
  /** Outcomes that must occur for the attack to count as successful: error codes, or `answered`. */
  readonly meets: readonly string[];
  /** Number of database connections that the attack must use at its peak to count as successful. */
  readonly holds: number;
}

/** The settings of an attacker's process. */
export interface AttackSettings {
  readonly name: string;
  readonly port: number;
  readonly secret: string;
}

export function headersOf(secret: string, tenant: number): Readonly<Record<string, string>> {
  return {
    'content-type': 'application/json',
    'x-gql-admin-secret': secret,
    'x-gql-role': 'tenant',
    'x-gql-tenant-id': String(tenant),
  };
}

export async function post(
  port: number,
  headers: Readonly<Record<string, string>>,
  body: string,
  signal: AbortSignal | null = null,
): Promise<string> {
  const init = { method: 'POST', headers, body, signal };
  const response = await fetch(`http://127.0.0.1:${port}/v1/graphql`, init);
  return response.text();
}

const repeat = (count: number, make: (index: number) => string) =>
  Array.from({ length: count }, (_, index) => make(index)).join(' ');
const posted = (query: string) => JSON.stringify({ query });

const related = (index: number) => `{organization: {name: {_neq: "${index}"}}}`;
const related2 = (index: number) => `{organization: {wallets: {name: {_neq: "${index}"}}}}`;

/** Makes nested lists, each of which refers back to its parent. */
const nested = (depth: number): string =>
  depth === 0 ? 'id' : `wallets(limit: 40) { organization { ${nested(depth - 1)} } }`;

const wide = repeat(6, (index) => `a${index}: wallet { id name balance currency created_at }`);

const names = repeat(30, (index) => `a${index}: name`);

export const attacks: readonly Attack[] = [
  {
    name: '500 conditions across a relationship',
    atOnce: 6,
    body: () => posted(`{ wallet(where: {_and: [${repeat(500, related)}]}) { id } }`),
    ...{ meets: ['node-limit-exceeded'], holds: 0 },
  },
  {
    name: '50 conditions across a relationship',
    atOnce: 6,
    body: () => posted(`{ wallet(where: {_and: [${repeat(50, related)}]}) { id } }`),
    ...{ meets: ['answered'], holds: 1 },
  },
  {
    name: '25 conditions across two relationships',
    atOnce: 6,
    body: () => posted(`{ wallet(where: {_or: [${repeat(25, related2)}]}, limit: 10) { id } }`),
    ...{ meets: ['answered'], holds: 1 },
  },
  {
    name: '300 orderings by a relationship',
    atOnce: 6,
    body: () =>
      posted(`{ wallet(order_by: [${repeat(300, () => '{organization: {name: asc}}')}]) { id } }`),
    ...{ meets: ['answered'], holds: 1 },
  },
  {
    name: 'lists in lists until the time is over',
    atOnce: 12,
    body: () => posted(`{ organization { ${nested(6)} } }`),
    ...{ meets: [], holds: 5 },
  },
  {
    name: 'wide lists in lists, of far more bytes than an answer may have',
    atOnce: 6,
    body: () => posted(`{ wallet { organization { wallets { ${names} } } } }`),
    ...{ meets: ['size-limit-exceeded'], holds: 0 },
  },
  {
    name: 'large answers, some of whose clients take nothing',
    atOnce: 8,
    stuckClients: 8,
    body: () => posted(`{ ${wide} }`),
    ...{ meets: ['unavailable'], holds: 1 },
  },
];
