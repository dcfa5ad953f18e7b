import { makeWorld, type World } from '../../accounts/support/world.ts';

/** Requests documents as the people and programs of the demo data. */
export interface DocumentClient {
  readonly world: World;
  /** Sends a request as the person `local|<who>`, optionally in a role. */
  as(who: string, path: string, init?: Init): Promise<Response>;
  /** Sends a request with an API key. */
  withKey(key: string, path: string, init?: Init): Promise<Response>;
}

interface Init {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
}

export async function startDocumentClient(
  environment: Readonly<Record<string, string>> = {},
): Promise<DocumentClient> {
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

/** Returns the text of a page without markup, with entities decoded. */
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

/** The ids of the demo data. Their last digits are organization and number. */
export const ids = {
  /** A paid invoice of Alder. */
  invoice: '30000000-0000-4000-8000-000000000101',
  /** A receipt of Alder. */
  receipt: '72000000-0000-4000-8000-000000000101',
  /** A quote of Alder, for the wallet of alder-cardholder. */
  quote: '60000000-0000-4000-8000-000000000102',
  /** A quote of Birch. */
  quoteOfBirch: '60000000-0000-4000-8000-000000000201',
  /** A quote that only the desk may see yet. */
  draftQuote: '60000000-0000-4000-8000-000000000301',
  fund: '40000000-0000-4000-8000-000000000001',
  /** A closed case of Alder with an agreement. */
  case: 'a0000000-0000-4000-8000-000000000101',
  /** A case about Alder that Alder must not see. */
  alert: 'a0000000-0000-4000-8000-000000000104',
  caseOfBirch: 'a0000000-0000-4000-8000-000000000201',
  nothing: '00000000-0000-4000-8000-00000000dead',
} as const;

export const alder = '00000000-0000-4000-8000-000000000001';
export const birch = '00000000-0000-4000-8000-000000000002';
