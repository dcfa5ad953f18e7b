/** A description and an example of a kind of metadata file, which editors show to its author. */
export interface FileExample {
  readonly description: string;
  readonly examples: readonly unknown[];
}

/** By kind of file. Each example is valid by the schema of its kind. */
export const fileExamples = {
  'roles.yaml': {
    description: 'The roles of callers. Every rule belongs to one of them.',
    examples: [
      {
        roles: {
          reader: { purpose: 'callers without an account' },
          writer: { purpose: 'writes articles', requires: ['X-Gql-User-Id'] },
        },
      },
    ],
  },
  'cron.yaml': {
    description: 'Schedules: webhooks or jobs that run at set times.',
    examples: [
      {
        nightly_report: {
          schedule: '0 3 * * *',
          timezone: 'Europe/Berlin',
          webhook: 'https://example.com/report',
        },
      },
    ],
  },
  'actions.yaml': {
    description: 'Actions: queries and mutations that a service answers over HTTP.',
    examples: [
      {
        actions: {
          refund: {
            type: 'mutation',
            arguments: { order_id: 'uuid!' },
            output_type: 'Refund!',
            handler: 'https://example.com/refund',
            permissions: ['clerk'],
          },
        },
        custom_types: { objects: { Refund: { fields: { id: 'uuid!' } } } },
      },
    ],
  },
  'allow_list.yaml': {
    description: 'The operations that clients may run. Without this file they may run any.',
    examples: [
      {
        collections: {
          app: { operations: [{ name: 'Articles', query: '{ article { title } }' }] },
        },
        allow: [{ collection: 'app', roles: ['reader'] }],
      },
    ],
  },
  'graphile.yaml': {
    description: "PostGraphile's own dialect of GraphQL, and plugins.",
    examples: [{ endpoint: '/graphql', fields: { exchangeRate: { roles: ['reader'] } } }],
  },
  'filters.yaml': {
    description: 'Named conditions, which rules use by name.',
    examples: [{ filters: { is_owner: { owner_id: { _eq: 'X-Gql-User-Id' } } } }],
  },
  'rowgate.yaml': {
    description: 'Settings of the metadata folder.',
    examples: [{ version: 1, references_visible: true }],
  },
  'tables/*.yaml': {
    description: 'A table or view: its rules by role, its relationships and its names in GraphQL.',
    examples: [
      {
        table: 'article',
        relationships: { author: { column: 'author_id' } },
        permissions: {
          reader: {
            select: { filter: { published: { _eq: true } }, columns: ['id', 'title', 'author_id'] },
          },
          writer: {
            insert: { check: {}, set: { author_id: 'X-Gql-User-Id' }, columns: ['title'] },
            delete: { filter: { author_id: { _eq: 'X-Gql-User-Id' } } },
          },
        },
      },
    ],
  },
  'functions/*.yaml': {
    description: 'A function of the database that is a query or a mutation.',
    examples: [{ function: 'search_article', exposed_as: 'query', permissions: ['reader'] }],
  },
  'tests/*.yaml': {
    description: 'Tests of the rules, which `rowgate test` runs.',
    examples: [
      {
        table: 'article',
        principals: { reader: { role: 'reader' } },
        fixtures: { article: { draft: { title: 'A' }, news: { title: 'B', published: true } } },
        tests: [
          { test: 'a reader sees published articles', matrix: { reader: { news: ['select'] } } },
          { test: 'a reader reads these columns', may: { reader: { select: ['id', 'title'] } } },
        ],
      },
    ],
  },
} as const satisfies Readonly<Record<string, FileExample>>;
