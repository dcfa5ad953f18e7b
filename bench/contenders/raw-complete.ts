import { randomUUID, timingSafeEqual } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import pino from 'pino';
import { operations, parametersOf } from '../throughput/operations.ts';
import { contenderSettings, listening } from './listen.ts';
import { RawError, toRawError } from './raw/errors.ts';
import { RawPool } from './raw/pool.ts';

// `raw-onesync` with everything that a server needs: timeouts, cancellation when the client leaves, replaced
// connections, errors of GraphQL and a request log. It imports nothing of server/ and remains as it is, because it is
// the reference for the processor time of Rowgate.
const { gatewayUrl, secret, poolSize, role, logFile } = contenderSettings();
const MAX_BODY_BYTES = 1024 * 1024;
const BODY_TIMEOUT_MS = 30_000;
const log = pino(
  { timestamp: pino.stdTimeFunctions.isoTime },
  pino.destination({ dest: logFile, sync: false, minLength: 4096 }),
);
const pool = new RawPool(gatewayUrl, poolSize, role);
const byQuery = new Map(operations.map((operation) => [operation.hasura, operation]));
const expectedSecret = Buffer.from(secret);

async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request) {
    bytes += chunk.length;
    if (bytes > MAX_BODY_BYTES) throw new RawError('body-limit-exceeded', 'the body is too large');
    chunks.push(chunk);
  }
  return (chunks.length === 1 ? chunks[0] : Buffer.concat(chunks))?.toString() ?? '';
}

function parseBody(text: string): { query: unknown; variables?: Record<string, unknown> | null } {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new RawError('bad-request', 'the body is no JSON', error);
  }
}

function authenticate({ headers }: IncomingMessage): string {
  const given = Buffer.from(String(headers['x-gql-admin-secret'] ?? ''));
  if (given.length !== expectedSecret.length || !timingSafeEqual(given, expectedSecret)) {
    throw new RawError('access-denied', 'the admin secret is missing or wrong');
  }
  const tenant = headers['x-gql-tenant-id'];
  if (typeof tenant === 'string') return tenant;
  throw new RawError('not-found', 'missing session variable: "x-gql-tenant-id"');
}

async function answer(request: IncomingMessage, response: ServerResponse): Promise<string> {
  if (request.method !== 'POST' || request.url !== '/v1/graphql') {
    throw new RawError('not-found', 'there is no such endpoint');
  }
  const tenant = authenticate(request);
  const { query, variables } = parseBody(await readBody(request));
  const operation = byQuery.get(String(query));
  if (!operation) throw new RawError('validation-failed', 'an unknown operation');
  const left = new AbortController();
  response.once('close', () => left.abort());
  const call = { operation, parameters: parametersOf(variables ?? {}), tenant };
  return `{"data":${await pool.run(call, left.signal)}}`;
}

const server = createServer({ requestTimeout: BODY_TIMEOUT_MS }, async (request, response) => {
  const startedAt = performance.now();
  const requestId = request.headers['x-request-id'] ?? randomUUID();
  response.once('close', () => {
    const ms = Math.round(performance.now() - startedAt);
    const { method, url: path } = request;
    const fields = { requestId, method, path, status: response.statusCode, ms };
    if (response.writableFinished) log.info(fields, 'request');
    else log.warn(fields, 'request aborted');
  });
  const text = await answer(request, response).catch((error: unknown) => {
    const found = toRawError(error);
    if (found.cause !== undefined) log.error({ requestId, err: found.cause }, found.message);
    const extensions = { path: '$', code: found.code };
    return JSON.stringify({ errors: [{ message: found.message, extensions }] });
  });
  response.writeHead(200, {
    'content-type': 'application/json; charset=utf-8',
    'content-length': Buffer.byteLength(text),
    'x-request-id': requestId,
  });
  response.end(text);
});
process.once('SIGTERM', () => {
  log.flush();
  process.exit();
});
await listening(server);
