import { randomBytes } from 'node:crypto';
import { link, readFile, rm, writeFile } from 'node:fs/promises';
import { errorCode, ProcessError } from '../../errors.ts';

/**
 * The secret that the file holds; where there is none, a new one of 43 URL-safe characters (256 bits)
 * is written with mode 0600. Two processes that do so at once get the same secret.
 */
export async function readOrMakeSecret(file: string): Promise<string> {
  return (await readSecret(file)) ?? (await makeSecret(file));
}

/** The secret that the file holds, or undefined where there is no file. Throws RG_DATA_DIR for an empty or unreadable one. */
export async function readSecret(file: string): Promise<string | undefined> {
  let secret: string;
  try {
    secret = (await readFile(file, 'utf8')).trim();
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return undefined;
    throw new ProcessError('RG_DATA_DIR', `cannot read ${file}: ${errorCode(error)}`, {
      hint: 'run as the user that owns the data folder',
      cause: error,
    });
  }
  if (secret !== '') return secret;
  throw new ProcessError('RG_DATA_DIR', `${file} is empty`, { hint: 'delete it or restore it' });
}

async function makeSecret(file: string): Promise<string> {
  const secret = randomBytes(32).toString('base64url');
  const draft = `${file}.${process.pid}.${randomBytes(4).toString('hex')}`;
  try {
    await writeFile(draft, `${secret}\n`, { mode: 0o600, flag: 'wx', flush: true });
    // A link appears whole or not at all, and never replaces what another process has put there.
    await link(draft, file);
    return secret;
  } catch (error) {
    const winner = errorCode(error) === 'EEXIST' ? await readSecret(file) : undefined;
    if (winner !== undefined) return winner;
    throw new ProcessError('RG_DATA_DIR', `cannot write ${file}: ${errorCode(error)}`, {
      hint: 'make the data folder writable, or set ROWGATE_DATA_DIR to another one',
      cause: error,
    });
  } finally {
    await rm(draft, { force: true });
  }
}
