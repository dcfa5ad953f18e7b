/** The metadata of the default test schema (schema.sql), by file name. */
export const metadata: Readonly<Record<string, string>> = {
  'roles.yaml': `
roles:
  member: { group: Test, purpose: sees its organization, requires: [X-Gql-Organization-Id] }
  reader: { group: Test, purpose: sees published articles }
  counter: { group: Test, purpose: counts articles without seeing them }
  picky: { group: Test, purpose: reads variables of every type }
  linker: { group: Test, purpose: sees every article but the authors of one organization }
  idle: { group: Test, purpose: may read nothing }
`,
  'tables/organization.yaml': `
table: organization
permissions:
  member: { select: { filter: { id: { _eq: X-Gql-Organization-Id } }, columns: [id, name] } }
`,
  'tables/author.yaml': `
table: author
relationships:
  # Configured manually. The remote columns are no key, so several rows may match.
  some_article: { table: article, columns: { id: author_id }, kind: object }
permissions:
  member:
    select:
      filter: { organization_id: { _eq: X-Gql-Organization-Id } }
      columns: [id, organization_id, name, email, rank]
      allow_aggregations: true
  reader: { select: { filter: {}, columns: [id, name] } }
  linker:
    select:
      filter: { organization_id: { _eq: X-Gql-Organization-Id } }
      columns: [id, name]
      allow_aggregations: true
`,
  'tables/article.yaml': `
table: article
permissions:
  member:
    select:
      filter: { author: { organization_id: { _eq: X-Gql-Organization-Id } } }
      columns: [id, author_id, title, body, views, price, score, published, published_at, tags, meta, mood]
      allow_aggregations: true
  reader:
    select:
      filter: { published: { _eq: true } }
      columns: [id, author_id, title, mood]
      limit: 2
      allow_aggregations: true
  linker: { select: { filter: {}, columns: [id, author_id], allow_aggregations: true } }
  counter: { select: { filter: {}, columns: [], allow_aggregations: true } }
`,
  'tables/billing.invoice.yaml': `
table: billing.invoice
permissions:
  member: { select: { filter: { organization_id: { _eq: X-Gql-Organization-Id } }, columns: [number, total] } }
`,
  'tables/setting.yaml': `
table: setting
permissions:
  picky:
    select:
      filter: { _or: [{ owner: { _in: X-Gql-Owners } }, { level: { _eq: X-Gql-Level } }] }
      columns: [name, level]
`,
};
