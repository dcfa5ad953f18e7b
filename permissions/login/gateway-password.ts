import { createHash, createHmac, pbkdf2 as pbkdf2Callback, randomBytes } from 'node:crypto';
import { promisify } from 'node:util';
import pg from 'pg';
import { ident, literal, sql } from '../text/sql-text.ts';

const pbkdf2 = promisify(pbkdf2Callback);
const iterations = 4096;

/**
 * Returns the form of a password that Postgres stores (RFC 5803). Rowgate sends this form instead of the password,
 * because a server may log the statement.
 */
export async function scramVerifier(password: string, salt = randomBytes(16)): Promise<string> {
  const salted = await pbkdf2(password.normalize('NFKC'), salt, iterations, 32, 'sha256');
  const key = (text: string) => createHmac('sha256', salted).update(text).digest();
  const stored = createHash('sha256').update(key('Client Key')).digest('base64');
  const server = key('Server Key').toString('base64');
  return `SCRAM-SHA-256$${iterations}:${salt.toString('base64')}$${stored}:${server}`;
}

/** Sets the password of the login, unless the server already accepts it. */
export async function ensurePassword(
  client: pg.ClientBase,
  login: string,
  password: string,
): Promise<void> {
  if (await accepts(client, login, password)) return;
  const verifier = await scramVerifier(password);
  await client.query(sql`alter role ${ident(login)} password ${literal(verifier)}`.text);
}

/** Returns whether the server accepts the password. With `trust` authentication the answer is always true. */
async function accepts(client: pg.ClientBase, login: string, password: string): Promise<boolean> {
  const { host, port, database, ssl } = client as pg.Client;
  const probe = new pg.Client({
    host,
    port,
    ssl,
    user: login,
    password,
    connectionTimeoutMillis: 5000,
    ...(database !== undefined && { database }),
  });
  try {
    await probe.connect();
    return true;
  } catch {
    return false;
  } finally {
    await probe.end().catch(() => undefined);
  }
}
