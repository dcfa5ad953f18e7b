import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { makeLogger } from '../../../../../../server/log/log.ts';
import { createDatabase, type TestDatabase } from '../../../../../support/database.ts';
import { startTestServer, type TestServer } from '../../../../../support/http.ts';
import { LogCapture } from '../../../../../support/log-capture.ts';
import { query } from '../../../../../support/query.ts';
import { storeKey } from '../../../accounts/api-keys/stored-key.ts';
import { startLocalIssuer } from '../../../accounts/support/local-issuer.ts';

export const alder = '00000000-0000-4000-8000-000000000001';
export const birch = '00000000-0000-4000-8000-000000000002';
/** The platform's administrator in these tests. The person belongs to the organization Alder. */
export const adminId = 'local|alder-admin';
/** The person to whom uploaded files belong. Belongs to the organization Alder too. */
export const ownerId = 'local|alder-investor';

export interface Answer {
  readonly status: number;
  // biome-ignore lint/suspicious/noExplicitAny: the shape is what the test is about
  readonly body: any;
}

/** A server with the endpoints of files, and people who may or may not use them. */
export interface FilesWorld {
  readonly server: TestServer;
  readonly database: TestDatabase;
  readonly log: LogCapture;
  /** The request headers of the administrator. */
  readonly admin: Readonly<Record<string, string>>;
  /** The request headers of an API key with the scope `admin` for all organizations. */
  readonly key: Readonly<Record<string, string>>;
  as(userId: string): Promise<Readonly<Record<string, string>>>;
  keyHeaders(values: Parameters<typeof storeKey>[1]): Promise<Readonly<Record<string, string>>>;
  /** Runs statements as the superuser and returns the rows of the last one. */
  // biome-ignore lint/suspicious/noExplicitAny: rows are what the test is about
  sql(...statements: readonly string[]): Promise<any[]>;
  upload(form: FormData, headers?: Readonly<Record<string, string>>): Promise<Answer>;
  /** Uploads a form as raw text. The boundary is `x`, unless the headers name another. */
  send(body: string | ReadableStream, headers?: Readonly<Record<string, string>>): Promise<Answer>;
  /** Lists the names of stored files, including the remains of uploads that did not end. */
  storedNames(): Promise<readonly string[]>;
  /** Returns the number of recorded files, without the files of the demo data. */
  recorded(): Promise<number>;
  end(): Promise<void>;
}

export async function makeFilesWorld(): Promise<FilesWorld> {
  const database = await createDatabase({ from: 'applied' });
  const owner = await database.connectOwner();
  const issuer = await startLocalIssuer();
  const log = new LogCapture();
  const server = await startTestServer({
    database,
    rest: true,
    graphql: false,
    environment: issuer.environment,
    logger: makeLogger({ logLevel: 'info', headerPrefix: 'X-Gql-' }, log),
  });
  const sql: FilesWorld['sql'] = (...statements) => query(database.superuserUrl, ...statements);
  await sql(`update public."user" set platform_admin = true where id = '${adminId}'`);
  const as = async (userId: string) => ({
    Authorization: `Bearer ${await issuer.tokenFor(userId)}`,
  });
  const keyHeaders: FilesWorld['keyHeaders'] = async (values) => ({
    'X-API-Key': (await storeKey(owner, values)).text,
  });
  const admin = await as(adminId);
  const post = async (init: RequestInit) => {
    const response = await server.fetch('/documents/upload', { method: 'POST', ...init });
    return { status: response.status, body: await response.json() };
  };
  const { dataDir } = server.config;
  return {
    ...{ server, database, log, admin, as, keyHeaders, sql },
    key: await keyHeaders({ scopes: ['admin'] }),
    upload: (body, headers = admin) => post({ headers, body }),
    send: (body, headers = {}) =>
      post({
        headers: { ...admin, 'Content-Type': 'multipart/form-data; boundary=x', ...headers },
        body,
        // Node's fetch requires this option for a body that is a stream. Its types lack the option.
        ...{ duplex: 'half' },
      }),
    storedNames: async () => [
      ...(await namesIn(path.join(dataDir, 'files'))),
      ...(await namesIn(path.join(dataDir, 'uploads'))),
    ],
    recorded: async () => {
      const [row] = await sql(
        `select count(*)::int from public.uploaded_file where created_at > now() - interval '1 hour'`,
      );
      return row.count;
    },
    end: async () => {
      await server.stop();
      await issuer.stop();
      await database.drop();
    },
  };
}

async function namesIn(folder: string): Promise<readonly string[]> {
  const names = await readdir(folder).catch(() => []);
  return names.filter((name) => name !== 'belongs-to.txt');
}

/** Makes a form with these files and fields. */
export function formOf(
  files: Readonly<Record<string, string | Buffer<ArrayBuffer> | Blob>>,
  fields: Readonly<Record<string, string>> = {},
): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.append(name, value);
  for (const [name, content] of Object.entries(files)) {
    const blob = content instanceof Blob ? content : new Blob([content]);
    form.append('files', blob, name);
  }
  return form;
}
