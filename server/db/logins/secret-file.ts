import { randomBytes } from 'node:crypto';
import { link, readFile, rm, writeFile } from 'node:fs/promises';
import { errorCode, ProcessError } from '../../errors.ts';

/**
 * Returns the secret in the file. A missing file is created with mode 0600 and a new secret of 43 URL-safe characters
 * (256 bits). Two processes that create it at the same time get the same secret.
 */
export async function readOrMakeSecret(file: string): Promise<string> {
  return (await readSecret(file)) ?? (await makeSecret(file));
}

/**
 * Returns the secret in the file; undefined when the file does not exist. Throws RG_DATA_DIR for an empty or unreadable
 * file.
 */
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
    // `link` is atomic and never replaces a file that another process has created.
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
