import { isUtf8 } from 'node:buffer';
import { constants } from 'node:fs';
import { open } from 'node:fs/promises';
import type { Report } from '../../diagnostics.ts';
import { fileFailure, startOf } from './file-failure.ts';

/** The maximum size of a metadata file, in bytes. */
export const maxFileSize = 1024 * 1024;

/**
 * Returns the text of a file of at most `maxSize` bytes, without a byte order mark. Undefined if the file is refused or
 * cannot be read, which is reported.
 */
export async function readSource(
  path: string,
  report: Report,
  maxSize: number = maxFileSize,
): Promise<string | undefined> {
  const bytes = await readBytes(path, report, maxSize);
  if (!bytes) return undefined;
  const text = new TextDecoder('utf-8').decode(bytes);
  if (!isUtf8(bytes)) {
    const before = text.slice(0, text.indexOf('\ufffd')).split('\n');
    const position = {
      ...startOf(path),
      line: before.length,
      column: (before.at(-1)?.length ?? 0) + 1,
    };
    report.error('RG_FILE_UNREADABLE', position, 'the file is not UTF-8', 'save it as UTF-8');
    return undefined;
  }
  return text;
}

async function readBytes(
  path: string,
  report: Report,
  maxSize: number,
): Promise<Uint8Array | undefined> {
  try {
    // Without O_NONBLOCK, opening a named pipe would wait for a writer forever.
    await using file = await open(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
    const stats = await file.stat();
    if (!stats.isFile()) {
      report.error('RG_FILE_UNREADABLE', startOf(path), 'the path is not an ordinary file');
      return undefined;
    }
    if (stats.size > maxSize) {
      const message = `the file holds ${stats.size} bytes, more than ${maxSize}`;
      report.error('RG_FILE_TOO_LARGE', startOf(path), message, 'split it, one table a file');
      return undefined;
    }
    return await file.readFile();
  } catch (error) {
    report.error('RG_FILE_UNREADABLE', startOf(path), `the file ${fileFailure(error)}`);
    return undefined;
  }
}
