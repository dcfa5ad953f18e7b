import { removeMetadata, writeMetadata } from '../permissions/support/metadata-files.ts';
import { createDatabase, type TestDatabase } from '../support/database.ts';
import { startTestServer, type TestServer } from '../support/http.ts';

const schema = `
create table author (
  id uuid primary key default gen_random_uuid(),
  publisher text not null default '',
  name text not null
);
create table article (
  id uuid primary key default gen_random_uuid(),
  author_id uuid not null references author,
  title text not null,
  pages integer not null default 1,
  published boolean not null default false,
  written_by text not null default ''
);
insert into author (id, publisher, name) values
  ('${authorId(1)}', 'north', 'Ada'),
  ('${authorId(2)}', 'north', 'Bert'),
  ('${authorId(3)}', 'south', 'Cleo');
insert into article (id, author_id, title, pages) values
  ('${articleId(1)}', '${authorId(1)}', 'Alders', 30),
  ('${articleId(2)}', '${authorId(1)}', 'Birches', 10),
  ('${articleId(3)}', '${authorId(2)}', 'Cedars', 20),
  ('${articleId(4)}', '${authorId(3)}', 'Dogwoods', 40);
`;

const authorRules = `
table: author
permissions:
  editor:
    select: { filter: { publisher: { _eq: X-Gql-Publisher } }, columns: [id, name], allow_aggregations: true }
`;

const ofPublisher = '{ author: { publisher: { _eq: X-Gql-Publisher } } }';

const articleRules = `
table: article
permissions:
  editor:
    select:
      filter: ${ofPublisher}
      columns: [id, author_id, title, pages, published]
      allow_aggregations: true
    insert:
      check: ${ofPublisher}
      set: { written_by: X-Gql-User-Id }
      columns: [id, author_id, title, pages]
    update:
      filter: ${ofPublisher}
      columns: [title, pages, published]
    delete: { filter: ${ofPublisher} }
`;

/** Returns the demo id of an author. Authors 1 and 2 belong to the publisher "north", author 3 to "south". */
export function authorId(number: number): string {
  return `a0000000-0000-4000-8000-00000000000${number}`;
}

/** Returns the demo id of an article. Author 1 wrote articles 1 and 2, author 2 article 3, author 3 article 4. */
export function articleId(number: number): string {
  return `b0000000-0000-4000-8000-00000000000${number}`;
}

/** A database of articles and authors, and a server on which editors of publishers may read and write. */
export interface Library {
  readonly server: TestServer;
  readonly database: TestDatabase;
  /** URL of the GraphQL endpoint. */
  readonly endpoint: string;
  /** Headers of a client that acts for an editor of "north". */
  readonly headers: Readonly<Record<string, string>>;
  close(): Promise<void>;
}

/** Creates the database and serves it. */
export async function openLibrary(): Promise<Library> {
  const database = await createDatabase();
  const owner = await database.connectOwner();
  await owner.query(schema);
  const metadata = await writeMetadata({
    'roles.yaml': 'roles: { editor: { requires: [X-Gql-Publisher] } }',
    'tables/author.yaml': authorRules,
    'tables/article.yaml': articleRules,
  });
  const server = await startTestServer({ database, metadata });
  return {
    server,
    database,
    endpoint: `${server.url}/v1/graphql`,
    headers: {
      'X-Gql-Admin-Secret': server.adminSecret,
      'X-Gql-Role': 'editor',
      'X-Gql-Publisher': 'north',
      'X-Gql-User-Id': 'somebody',
    },
    close: async () => {
      await server.stop();
      await removeMetadata();
      await database.drop();
    },
  };
}
