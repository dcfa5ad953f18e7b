import { createHash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { tooLarge } from './form-refusals.ts';
import type { Spool } from './spool.ts';
import { uploadLimits } from './upload-limits.ts';

/** A file that is being received. */
export interface IncomingFile {
  readonly stream: Readable;
  /** The name and the media type that the sender declares. */
  readonly originalName: string;
  readonly declaredType: string;
}

/** A file that was received completely. */
export interface SpooledFile extends Omit<IncomingFile, 'stream'> {
  readonly localFile: string;
  /** In bytes. */
  readonly size: number;
  /** In hexadecimal. */
  readonly sha256: string;
}

/** Writes the files of one upload, up to their total maximum size. */
export class SpoolWriter {
  readonly #spool: Spool;
  readonly #stop = new AbortController();
  readonly #writing: Promise<SpooledFile>[] = [];
  #bytes = 0;

  constructor(spool: Spool) {
    this.#spool = spool;
  }

  /** Resolves when the whole file is written. @throws Refusal 413 */
  write(file: IncomingFile): Promise<SpooledFile> {
    const writing = this.#write(file);
    this.#writing.push(writing);
    return writing;
  }

  /** All files in the order of arrival, without the empty parts of inputs where no file was chosen. */
  async files(): Promise<readonly SpooledFile[]> {
    const files = await Promise.all(this.#writing);
    return files.filter(({ originalName, size }) => originalName !== '' || size > 0);
  }

  /** Aborts all writes. Resolves when they have ended. */
  async stop(): Promise<void> {
    this.#stop.abort();
    await Promise.allSettled(this.#writing);
  }

  async #write({ stream, originalName, declaredType }: IncomingFile): Promise<SpooledFile> {
    const localFile = this.#spool.next();
    const hash = createHash('sha256');
    let size = 0;
    const count = (bytes: number) => this.#count(bytes);
    await pipeline(
      stream,
      async function* (chunks: AsyncIterable<Buffer>) {
        for await (const chunk of chunks) {
          count(chunk.length);
          size += chunk.length;
          hash.update(chunk);
          yield chunk;
        }
      },
      createWriteStream(localFile, { flags: 'wx', mode: 0o600 }),
      { signal: this.#stop.signal },
    );
    return { localFile, originalName, declaredType, size, sha256: hash.digest('hex') };
  }

  #count(bytes: number): void {
    this.#bytes += bytes;
    if (this.#bytes > uploadLimits.contentBytes) throw tooLarge();
  }
}
