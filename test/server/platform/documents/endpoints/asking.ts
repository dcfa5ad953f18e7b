import { makeWorld, type World } from '../../accounts/support/world.ts';

/** Asks for documents as the people and programs of the demo data. */
export interface Asking {
  readonly world: World;
  /** As `local|<who>`; in a role where one is given. */
  as(who: string, path: string, init?: Init): Promise<Response>;
  /** With an API key. */
  withKey(key: string, path: string, init?: Init): Promise<Response>;
}

interface Init {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
}

export async function startAsking(
  environment: Readonly<Record<string, string>> = {},
): Promise<Asking> {
  const world = await makeWorld(environment);
  return {
    world,
    as: async (who, path, { headers, ...init } = {}) => {
      const token = await world.issuer.tokenFor(`local|${who}`);
      const bearer = { Authorization: `Bearer ${token}` };
      return world.server.fetch(path, { ...init, headers: { ...bearer, ...headers } });
    },
    withKey: (key, path, { headers, ...init } = {}) =>
      world.server.fetch(path, { ...init, headers: { 'X-API-Key': key, ...headers } }),
  };
}

/** The words of a page, without markup; entities as the characters that they stand for. */
export function wordsOfPage(html: string): string {
  const body = html.slice(html.indexOf('<body'));
  return body
    .replaceAll(/<[^>]*>/g, ' ')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&')
    .replaceAll(/\s+/g, ' ');
}

/** Demo data: the last digits are organization and number. */
export const ids = {
  /** Alder's, paid. */
  invoice: '30000000-0000-4000-8000-000000000101',
  /** Alder's. */
  receipt: '72000000-0000-4000-8000-000000000101',
  /** Alder's, for the wallet of alder-cardholder. */
  quote: '60000000-0000-4000-8000-000000000102',
  /** Birch's. */
  quoteOfBirch: '60000000-0000-4000-8000-000000000201',
  /** Of which nobody but the desk knows yet. */
  draftQuote: '60000000-0000-4000-8000-000000000301',
  fund: '40000000-0000-4000-8000-000000000001',
  /** Alder's, closed, with an agreement. */
  case: 'a0000000-0000-4000-8000-000000000101',
  /** Alder's, of which Alder must not know. */
  alert: 'a0000000-0000-4000-8000-000000000104',
  caseOfBirch: 'a0000000-0000-4000-8000-000000000201',
  nothing: '00000000-0000-4000-8000-00000000dead',
} as const;

export const alder = '00000000-0000-4000-8000-000000000001';
export const birch = '00000000-0000-4000-8000-000000000002';
