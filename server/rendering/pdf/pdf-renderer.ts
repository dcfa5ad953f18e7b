import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { Piscina } from 'piscina';
import { ConcurrencyLimit } from '../../concurrency-limit.ts';
import type { Brand } from '../brand.ts';
import type { PrintedDocument } from '../model.ts';
import { DocumentTooLarge, requirePrintable } from './document-size.ts';
import { fontFile } from './text/font-files.ts';

/** Thrown when the queue of documents is full. The caller can try again later. */
export class RenderQueueFull extends Error {
  override readonly name = 'RenderQueueFull';

  constructor() {
    super('too many documents are being rendered at the moment');
  }
}

/** Thrown when the document took longer than the time limit. Other documents are not affected. */
export class RenderTimedOut extends Error {
  override readonly name = 'RenderTimedOut';

  constructor() {
    super('rendering the document took too long');
  }
}

/** Renders PDFs in worker threads, so that the process stays responsive. */
export interface PdfRenderer {
  /**
   * Renders a document as a PDF in a thread. If the thread fails, only this document is lost.
   * @throws DocumentTooLarge when the document exceeds the limits or the memory of its thread
   * @throws RenderQueueFull when too many documents are running and waiting
   * @throws RenderTimedOut when the time limit is exceeded
   */
  render(document: PrintedDocument): Promise<Uint8Array>;
  /** Whether `render` would throw RenderQueueFull now. */
  readonly isFull: boolean;
  /** Finishes running and waiting documents and accepts no more. Safe to call again. */
  close(): Promise<void>;
}

export interface PdfRendererOptions {
  readonly brand: Brand;
  /** Maximum threads. They start with the first documents and end after a minute without documents. */
  readonly workers: number;
  /** Maximum documents that are running or waiting. */
  readonly queue: number;
  /** Maximum milliseconds for one document, including the start of a thread; default 20 s. */
  readonly timeLimit?: number;
}

const usualTimeLimit = 20_000;
const idleTimeout = 60_000;
/** Limits of each thread. Without these limits V8 collects garbage only after hundreds of mebibytes. */
const resourceLimits = { maxYoungGenerationSizeMb: 48, maxOldGenerationSizeMb: 256 };

/**
 * Returns the path of the worker, which has the same extension as this file: `.ts` in a checkout, `.js` in the package.
 */
function workerFile(): string {
  const own = fileURLToPath(import.meta.url);
  return path.join(path.dirname(own), `pdf-worker${path.extname(own)}`);
}

type Pool = Piscina<PrintedDocument, Uint8Array>;

function openPool({ brand, workers }: PdfRendererOptions): Pool {
  const pool: Pool = new Piscina({
    filename: workerFile(),
    name: 'render',
    workerData: brand,
    minThreads: 0,
    maxThreads: workers,
    idleTimeout,
    resourceLimits,
    // The options of this process, such as `--inspect`, must not apply to the threads.
    execArgv: [],
  });
  // An idle thread may die. The pool starts another one for the next document, so the error needs no handling;
  // unhandled, it would end the process.
  pool.on('error', () => {});
  return pool;
}

/**
 * Renders a document in a thread. The time limit starts at this moment, so that the time in the queue does not count.
 */
async function renderIn(pool: Pool, document: PrintedDocument, timeLimit: number) {
  const signal = AbortSignal.timeout(timeLimit);
  try {
    return await pool.run(document, { signal });
  } catch (error) {
    if (signal.aborted) throw new RenderTimedOut();
    throw ranOutOfMemory(error) ? new DocumentTooLarge() : error;
  }
}

/** Makes the renderer. Threads start with the first document. @throws ProcessError when the fonts are not installed */
export function openPdfRenderer(options: PdfRendererOptions): PdfRenderer {
  fontFile('regular');
  const { workers, queue, timeLimit = usualTimeLimit } = options;
  const pool = openPool(options);
  // Documents must not wait inside the pool, because it does not replace a lost thread for a waiting task.
  const limit = new ConcurrencyLimit(workers);
  const underWay = new Set<Promise<Uint8Array>>();
  const isFull = () => underWay.size >= queue;
  let closing: Promise<void> | undefined;
  return {
    get isFull() {
      return isFull();
    },
    async render(document) {
      if (closing)
        throw new Error('no more documents are rendered, because the server is stopping');
      requirePrintable(document);
      if (isFull()) throw new RenderQueueFull();
      const rendering = limit.run(() => renderIn(pool, document, timeLimit));
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
