import { pipeline } from 'node:stream/promises';
import type { Request, Response } from 'express';
import type pg from 'pg';
import type pino from 'pino';
import { isUnchanged } from '../../../../http/answers/is-unchanged.ts';
import { Refusal } from '../../../../http/answers/problem.ts';
import { orUnavailable } from '../../../../http/answers/unavailable.ts';
import { type ByteRange, type FileStorage, storedName } from '../../../../storage/storage.ts';
import type { User } from '../../../accounts/user.ts';
import { findFile, type RecordedFile } from '../file-table.ts';
import { rangeOf } from './byte-range.ts';
import { setDisposition } from './disposition.ts';

export interface DownloadServices {
  /** Connections of the sidecar login, with which the server accesses everything except the data API. */
  readonly pool: pg.Pool;
  readonly storage: FileStorage;
  readonly logger: pino.Logger;
}

/** Sends a file, or a part of it, to its owner or an administrator. @throws Refusal 403, 404, 416, 503 */
export async function download(
  name: string,
  user: User,
  { request, response }: { readonly request: Request; readonly response: Response },
  services: DownloadServices,
): Promise<void> {
  const file = await readableFile(name, user, services);
  response.set({
    ETag: `"${file.sha256}"`,
    'Last-Modified': file.createdAt.toUTCString(),
    'Accept-Ranges': 'bytes',
    // Caches must revalidate each time, because the caller may have lost access.
    'Cache-Control': 'private, no-cache',
  });
  response.vary('Cookie, Authorization');
  if (isUnchanged(request, response)) return void response.status(304).end();
  const range = rangeOf(request, response, file);
  const length = range ? range.end - range.start + 1 : file.size;
  const content = await open(name, range, response, services);
  setDisposition(response, file);
  response.setHeader('Content-Length', length);
  if (range) {
    response.status(206).set('Content-Range', `bytes ${range.start}-${range.end}/${file.size}`);
  }
  if (request.method === 'HEAD') {
    content.destroy();
    return void response.end();
  }
  await waitUntilSent(pipeline(content, exactBytes(length), response));
}

/** Finds a file that the caller may read. @throws Refusal 404 when it does not exist, 403 for another owner's file */
async function readableFile(
  name: string,
  user: User,
  { pool, logger }: DownloadServices,
): Promise<RecordedFile> {
  if (!storedName.test(name)) throw notFound();
  const file = await orUnavailable(findFile(pool, name), logger);
  if (!file) throw notFound();
  if (file.ownerUserId === user.id || user.isPlatformAdmin) return file;
  const detail = 'only its owner and platform admins may read the file';
  throw new Refusal({ status: 403, code: 'not-owner', detail });
}

async function open(
  name: string,
  range: ByteRange | undefined,
  response: Response,
  { storage, logger }: DownloadServices,
) {
  const content = await orUnavailable(storage.read(name, range), logger);
  if (content) return content;
  const { requestId } = response.req;
  logger.error({ name, requestId }, 'a recorded file is missing from the storage');
  for (const header of ['ETag', 'Last-Modified', 'Accept-Ranges']) response.removeHeader(header);
  throw notFound();
}

function notFound(): Refusal {
  return new Refusal({ status: 404, code: 'not-found', detail: 'there is no such file' });
}

/**
 * Passes on exactly this many bytes. For a stored file of another length the function aborts the connection, because
 * the client would misread the next answer on that connection.
 */
function exactBytes(length: number) {
  return async function* (chunks: AsyncIterable<Buffer>) {
    let left = length;
    for await (const chunk of chunks) {
      left -= chunk.length;
      if (left < 0) break;
      yield chunk;
    }
    if (left !== 0) throw new Error('a stored file does not have the recorded length');
  };
}

/** Waits for the transfer and ignores clients that close the connection early. */
async function waitUntilSent(sending: Promise<void>): Promise<void> {
  try {
    await sending;
  } catch (error) {
    if ((error as { readonly code?: unknown }).code !== 'ERR_STREAM_PREMATURE_CLOSE') throw error;
  }
}
