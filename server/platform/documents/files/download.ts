import { pipeline } from 'node:stream/promises';
import type { Request, Response } from 'express';
import type pg from 'pg';
import type pino from 'pino';
import { isUnchanged } from '../../../http/is-unchanged.ts';
import { Refusal } from '../../../http/problem.ts';
import { orUnavailable } from '../../../http/unavailable.ts';
import { type ByteRange, type FileStorage, storedName } from '../../../storage/storage.ts';
import type { User } from '../../accounts/user.ts';
import { setDisposition } from './disposition.ts';
import { findFile, type RecordedFile } from './file-table.ts';
import { rangeOf } from './range.ts';

export interface DownloadServices {
  /** Of the sidecar's login. */
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
    // Kept, but asked for each time: whoever it is may have lost the right to it.
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
  await sent(pipeline(content, exactly(length), response));
}

/** What is not there and what was never there are told alike; what is somebody else's is told as the platform says. */
async function readableFile(
  name: string,
  user: User,
  { pool, logger }: DownloadServices,
): Promise<RecordedFile> {
  if (!storedName.test(name)) throw notThere();
  const file = await orUnavailable(findFile(pool, name), logger);
  if (!file) throw notThere();
  if (file.ownerUserId === user.id || user.isPlatformAdmin) return file;
  const detail = 'the file is for its owner and for admins of the platform';
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
  const { requestId } = response.locals;
  logger.error({ name, requestId }, 'a file is recorded and not in the storage');
  for (const header of ['ETag', 'Last-Modified', 'Accept-Ranges']) response.removeHeader(header);
  throw notThere();
}

function notThere(): Refusal {
  return new Refusal({ status: 404, code: 'not-found', detail: 'there is no such file' });
}

/**
 * Passes on so many bytes. A stored file of another length than is recorded ends the connection, whose next answer
 * would begin at the wrong place otherwise.
 */
function exactly(length: number) {
  return async function* (chunks: AsyncIterable<Buffer>) {
    let left = length;
    for await (const chunk of chunks) {
      left -= chunk.length;
      if (left < 0) break;
      yield chunk;
    }
    if (left !== 0) throw new Error('a stored file is not as long as is recorded');
  };
}

/** Whoever goes away in the middle is no failure of ours. */
async function sent(sending: Promise<void>): Promise<void> {
  try {
    await sending;
  } catch (error) {
    if ((error as { readonly code?: unknown }).code !== 'ERR_STREAM_PREMATURE_CLOSE') throw error;
  }
}
