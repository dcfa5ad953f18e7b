import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { applyMetadata } from '../../../../permissions/index.ts';
import { parseConfig } from '../../../../server/config/config.ts';
import { withLogin } from '../../../../server/db/url.ts';
import { makeLogger } from '../../../../server/log/log.ts';
import { startServer } from '../../../../server/start/start-server.ts';
import { createDatabase } from '../../../support/database.ts';
import { LogCapture } from '../../../support/log-capture.ts';

export const adminSecret = 'a-secret-of-at-least-32-characters!!';
const password = 'gateway-password-for-tests';

/** A separate database with notes of two authors, and rules for the roles reader, editor and visitor. */
export interface OwnDatabase {
  /** Starts a server without an application. It ends with the database. */
  serve(environment?: Readonly<Record<string, string>>, settings?: string): Promise<OwnServer>;
  drop(): Promise<void>;
}

export interface OwnServer {
  readonly url: string;
  readonly log: LogCapture;
  /** Posts an operation with these headers; default: a query of all notes. */
  ask(headers?: Readonly<Record<string, string>>, query?: string): Promise<Asked>;
}

export interface Asked {
  readonly status: number;
  /** The authors of the returned notes, or the code and message of the error. */
  readonly result: unknown;
}

const rules = {
  'roles.yaml': 'roles: { reader: { requires: [X-Gql-User-Id] }, editor: {}, visitor: {} }\n',
  'tables/note.yaml': `table: note
permissions:
  reader: { select: { filter: { author: { _eq: X-Gql-User-Id } }, columns: [id, author] } }
  editor: { select: { filter: {}, columns: [id, author] } }
  visitor: { select: { filter: { id: { _eq: 2 } }, columns: [id, author] } }
`,
};

export async function createOwnDatabase(): Promise<OwnDatabase> {
  const database = await createDatabase({ from: 'gateway' });
  const closing: (() => Promise<void>)[] = [];
  const owner = await database.connectOwner();
  await owner.query(
    `create table public.note (id int primary key, author text not null);
     insert into public.note values (1, 'anna'), (2, 'ben')`,
  );
  const applied = await writeRules();
  await applyMetadata(owner, { metadata: applied, headerPrefix: 'X-Gql-', password });
  const gateway = withLogin(database.ownerUrl, `rowgate_${database.name}_gateway_login`, password);
  return {
    serve: async (environment = {}, settings) => {
      const metadata = settings === undefined ? applied : await writeRules(settings);
      const { config } = parseConfig(
        {
          DATABASE_URL: database.ownerUrl,
          ROWGATE_GATEWAY_DATABASE_URL: gateway,
          ROWGATE_ADMIN_SECRET: adminSecret,
          ROWGATE_DATA_DIR: metadata,
          ROWGATE_DRIFT_INTERVAL: '0',
          PORT: '0',
          ...environment,
        },
        tmpdir(),
      );
      const log = new LogCapture();
      const logger = makeLogger({ logLevel: 'info', headerPrefix: 'X-Gql-' }, log);
      const server = await startServer(config, { metadata, parts: new Set(['graphql']) }, logger);
      closing.push(() => server.stop());
      return { url: server.url, log, ask: (headers, query) => ask(server.url, headers, query) };
    },
    drop: async () => {
      for (const close of closing) await close();
      await database.drop();
    },
  };

  async function writeRules(settings?: string): Promise<string> {
    const folder = await mkdtemp(path.join(tmpdir(), 'rowgate-own-'));
    closing.push(() => rm(folder, { recursive: true }));
    await mkdir(path.join(folder, 'tables'));
    const files = { ...rules, ...(settings !== undefined && { 'rowgate.yaml': settings }) };
    for (const [name, text] of Object.entries(files))
      await writeFile(path.join(folder, name), text);
    return folder;
  }
}

async function ask(
  url: string,
  headers: Readonly<Record<string, string>> = {},
  query = '{ note(order_by: { id: asc }) { author } }',
): Promise<Asked> {
  const response = await fetch(`${url}/v1/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify({ query }),
  });
  // biome-ignore lint/suspicious/noExplicitAny: the answer is data or errors
  const body: any = await response.json();
  const error = body.errors?.[0];
  const result = error
    ? [error.extensions.code, error.message]
    : body.data.note.map((one: { readonly author: string }) => one.author);
  return { status: response.status, result };
}
