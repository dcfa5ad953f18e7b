import { sep } from 'node:path';
import type { Position } from '../../diagnostics.ts';

const reasons: Readonly<Record<string, string>> = {
  ENOENT: 'does not exist',
  ENOTDIR: 'is not a folder',
  EISDIR: 'is a folder',
  EACCES: 'may not be read by this user',
  EPERM: 'may not be read by this user',
  ELOOP: 'is a symbolic link that leads in a circle',
  ENAMETOOLONG: 'has too long a path',
};

/** Returns the end of a message about a failed file operation, e.g. `does not exist`. Rethrows all other errors. */
export function fileFailure(error: unknown): string {
  if (!(error instanceof Error && 'code' in error && typeof error.code === 'string')) throw error;
  return reasons[error.code] ?? `cannot be read (${error.code})`;
}

/** The position of a finding about a whole file or folder. */
export function startOf(path: string): Position {
  return { file: path.split(sep).join('/'), line: 1, column: 1 };
}
