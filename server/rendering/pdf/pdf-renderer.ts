import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { Piscina } from 'piscina';
import type { Brand } from '../brand.ts';
import type { PrintedDocument } from '../model.ts';
import { ConcurrencyLimit } from './concurrency-limit.ts';
import { DocumentTooLarge, requirePrintable } from './document-size.ts';

/** More were asked for at once than may wait; later there is room again. */
export class RenderQueueFull extends Error {
  override readonly name = 'RenderQueueFull';

  constructor() {
    super('too many documents are being made at the moment');
  }
}

/** It took longer than one document may; others are made all the same. */
export class RenderTimedOut extends Error {
  override readonly name = 'RenderTimedOut';

  constructor() {
    super('the document took too long to be made');
  }
}

/** Makes PDFs in threads of their own, so that the process goes on answering. */
export interface PdfRenderer {
  /**
   * The document as bytes of a PDF. Throws DocumentTooLarge before and after a thread had a try, RenderQueueFull where
   * as many as may are running and waiting, RenderTimedOut, and another error where the thread failed, which costs this
   * document alone.
   */
  render(document: PrintedDocument): Promise<Uint8Array>;
  /** Whether a document that is asked for now would be refused with RenderQueueFull. */
  readonly isFull: boolean;
  /** Finishes what runs and waits, and takes no more. Safe to call again. */
  close(): Promise<void>;
}

export interface PdfRendererOptions {
  readonly brand: Brand;
  /** Threads at most; they come with the first documents and go when there are none for a while. */
  readonly workers: number;
  /** Documents at most that are made or wait for it. */
  readonly queue: number;
  /** Milliseconds that a thread may take for one document, its own start included; default 20 s. */
  readonly timeLimit?: number;
}

const usualTimeLimit = 20_000;
const idleTimeout = 60_000;
/** Of each thread: without them V8 lets garbage grow to hundreds of mebibytes. A document that needs more fails. */
const resourceLimits = { maxYoungGenerationSizeMb: 48, maxOldGenerationSizeMb: 256 };

/** The neighbour has this file's ending: `.ts` in a checkout, `.js` in the package. */
function workerFile(): string {
  const own = fileURLToPath(import.meta.url);
  return path.join(path.dirname(own), `pdf-worker${path.extname(own)}`);
}

/** Starts no thread yet. */
export function openPdfRenderer(options: PdfRendererOptions): PdfRenderer {
  const { brand, workers, queue, timeLimit = usualTimeLimit } = options;
  const pool = new Piscina<PrintedDocument, Uint8Array>({
    filename: workerFile(),
    name: 'render',
    workerData: brand,
    minThreads: 0,
    maxThreads: workers,
    idleTimeout,
    resourceLimits,
    // Node's own options only: whatever this process was started with concerns it alone.
    execArgv: [],
  });
  // A thread that dies without work costs nothing: the next document starts another one.
  pool.on('error', () => {});
  const run = async (document: PrintedDocument) => {
    // From now on: time that was spent waiting for others is not this document's.
    const signal = AbortSignal.timeout(timeLimit);
    try {
      return await pool.run(document, { signal });
    } catch (error) {
      if (signal.aborted) throw new RenderTimedOut();
      throw ranOutOfMemory(error) ? new DocumentTooLarge() : error;
    }
  };
  // Nothing waits in the pool, which starts no other thread for it where one was lost.
  const turns = new ConcurrencyLimit(workers);
  const underWay = new Set<Promise<Uint8Array>>();
  const isFull = () => underWay.size >= queue;
  let closing: Promise<void> | undefined;
  return {
    get isFull() {
      return isFull();
    },
    async render(document) {
      if (closing) throw new Error('documents are no longer made: the server is stopping');
      requirePrintable(document);
      if (isFull()) throw new RenderQueueFull();
      const rendering = turns.take(() => run(document));
      underWay.add(rendering);
      try {
        return await rendering;
      } finally {
        underWay.delete(rendering);
      }
    },
    close() {
      closing ??= Promise.allSettled(underWay).then(() => pool.destroy());
      return closing;
    },
  };
}

function ranOutOfMemory(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY';
}
