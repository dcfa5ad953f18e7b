import { makeWorld, type World } from '../../accounts/support/world.ts';

/** Requests documents as the people and the programs (API keys) of the demo data. */
export interface DocumentClient {
  readonly world: World;
  /** Sends a request as the person `local|<who>`. The role header in `init` is optional. */
  as(who: string, path: string, init?: Init): Promise<Response>;
  /** Sends a request with an API key. */
  withKey(key: string, path: string, init?: Init): Promise<Response>;
}

interface Init {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
  readonly redirect?: 'manual';
}

export async function startDocumentClient(
  environment: Readonly<Record<string, string>> = {},
): Promise<DocumentClient> {
  const world = await makeWorld(environment, { graphql: false });
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

/** Returns the text of an HTML page without its markup. Entities such as &amp; are decoded. */
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

/** Ids of the demo data. Their last digits are the number of the organization and of the row. */
export const ids = {
  /** A paid invoice of the organization Alder. */
  invoice: '30000000-0000-4000-8000-000000000101',
  /** A receipt of the organization Alder. */
  receipt: '72000000-0000-4000-8000-000000000101',
  /** A quote of the organization Alder, for the wallet of the person alder-cardholder. */
  quote: '60000000-0000-4000-8000-000000000102',
  /** A quote of the organization Birch. */
  quoteOfBirch: '60000000-0000-4000-8000-000000000201',
  /** A quote in status draft, which only the role of the desk may see. */
  draftQuote: '60000000-0000-4000-8000-000000000301',
  fund: '40000000-0000-4000-8000-000000000001',
  /** A closed case of the organization Alder, with an agreement. */
  case: 'a0000000-0000-4000-8000-000000000101',
  /** A case about the organization Alder that Alder itself must not see. */
  alert: 'a0000000-0000-4000-8000-000000000104',
  caseOfBirch: 'a0000000-0000-4000-8000-000000000201',
  nothing: '00000000-0000-4000-8000-00000000dead',
} as const;

export const alder = '00000000-0000-4000-8000-000000000001';
export const birch = '00000000-0000-4000-8000-000000000002';
