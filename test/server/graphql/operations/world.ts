import { createHash } from 'node:crypto';
import { type Config, parseConfig } from '../../../../server/config/config.ts';
import { type Answer, type Gateway, headersOf } from '../support/gateway.ts';
import { metadata } from '../support/metadata.ts';

/** Metadata with an allow-list, and with roles that have limits. */
export const operationsMetadata: Readonly<Record<string, string>> = {
  ...metadata,
  'roles.yaml': `${metadata['roles.yaml']}
  hurried: { limits: { seconds: 1 } }
  narrow: { limits: { depth: 2, nodes: 3 } }
  wide: { limits: { depth: 100 } }
  silent: { introspection: false }
  slow: { limits: { rate: { requests: 2, seconds: 600 } } }
  shared: { limits: { rate: { requests: 2, seconds: 600, by: role } } }
  personal: { limits: { rate: { requests: 2, seconds: 600, by: [X-Gql-User-Id] } } }
  anybody: { introspection: false, limits: { rate: { requests: 1000, seconds: 60 }, depth: 2 } }
`,
  'tables/organization.yaml': `
table: organization
permissions:
  member: { select: { filter: { id: { _eq: X-Gql-Organization-Id } }, columns: [id, name] } }
  slow: { select: { filter: { id: { _neq: X-Gql-Organization-Id } }, columns: [name] } }
`,
  'tables/article.yaml': (metadata['tables/article.yaml'] ?? '').concat(
    ['hurried', 'narrow', 'wide', 'silent', 'anybody']
      .map((role) => `  ${role}: { select: { filter: {}, columns: [id, title, author_id] } }\n`)
      .join(''),
  ),
  'tables/author.yaml': (metadata['tables/author.yaml'] ?? '').concat(
    ['hurried', 'narrow', 'wide', 'silent', 'anybody']
      .map((role) => `  ${role}: { select: { filter: {}, columns: [id, name] } }\n`)
      .join(''),
  ),
  'allow_list.yaml': `
collections:
  web:
    operations:
      - name: titles
        query: |
          # The titles.
          query titles($limit: Int = 2) {
            article(limit: $limit, order_by: { id: asc }) { ...one }
          }
          fragment one on article { id title }
      - { name: authors, query: '{ author(where: {name: {_eq: "Ada"}}) { id author: name } }' }
    files: [ops/*.graphql]
  staff: { operations: [{ name: everything, query: '{ article { id author_id } }' }] }
  unused: { operations: [{ name: secret, query: '{ author { id } }' }] }
allow:
  - { collection: web }
  - { collection: staff, roles: [linker] }
`,
};

/** The text of the file ops/kinds.graphql, which is in the allow-list as `web/kinds`. */
export const kinds = '{ __schema { queryType { name } } }';

/** Returns the SHA-256 of a document in hexadecimal digits, as clients send it. */
export function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

/** Returns the default configuration with the changes in `given`. */
export function operationSettings(given: Partial<Config['operations']>): Partial<Config> {
  return { operations: { ...parseConfig({}, '/').config.operations, ...given } };
}

/** Posts any JSON body to the gateway in a role. */
export async function post(
  gateway: Pick<Gateway, 'send'>,
  body: unknown,
  role = 'reader',
  place?: string,
): Promise<Answer> {
  const init = { headers: headersOf({ role }), body: JSON.stringify(body) };
  return (await gateway.send(init, place)).json() as Promise<Answer>;
}

/** Returns the `extensions` by which a client refers to a persisted query. */
export function persisted(sha256Hash: string, version = 1) {
  return { extensions: { persistedQuery: { version, sha256Hash } } };
}
