import { once } from 'node:events';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import type { IntrospectionResult, IntrospectionTask } from './introspection-worker.ts';

/** The thread ends after this time without a task, and its memory is free again. */
const IDLE_MS = 10_000;
/** Without limits, V8 collects the garbage of a thread only after hundreds of mebibytes. */
const resourceLimits = { maxYoungGenerationSizeMb: 16, maxOldGenerationSizeMb: 1024 };

/** A thread that starts at its first task, ends when it is idle, and starts again at the next task. */
export class IntrospectionThread {
  #worker: Worker | undefined;
  #idle: NodeJS.Timeout | undefined;

  /** Runs a task; the caller awaits it before the next. After a failure, the next task starts a new thread. */
  async run(task: IntrospectionTask): Promise<IntrospectionResult> {
    clearTimeout(this.#idle);
    const worker = this.#worker ?? this.#start();
    worker.ref();
    try {
      worker.postMessage(task);
      return await resultOf(worker);
    } catch (error) {
      await this.close();
      throw error;
    } finally {
      worker.unref();
      this.#idle = setTimeout(() => this.close(), IDLE_MS).unref();
    }
  }

  /** Ends the thread. A running task fails. */
  async close(): Promise<void> {
    clearTimeout(this.#idle);
    const worker = this.#worker;
    this.#worker = undefined;
    await worker?.terminate();
  }

  #start(): Worker {
    // The options of this process, such as `--inspect`, must not apply to the thread.
    const worker = new Worker(workerFile(), { resourceLimits, execArgv: [] });
    this.#worker = worker;
    // An idle thread may end, too. Without a listener, its error would end the process.
    worker.on('error', () => {});
    worker.once('exit', () => {
      if (this.#worker === worker) this.#worker = undefined;
    });
    return worker;
  }
}

/** Waits for the next message of a thread. Rejects if the thread ends instead. */
async function resultOf(worker: Worker): Promise<IntrospectionResult> {
  const settled = new AbortController();
  const { signal } = settled;
  const ended = once(worker, 'exit', { signal }).then(([code]) => {
    throw new Error(`the thread of introspection has ended with code ${code}`);
  });
  try {
    const [result] = await Promise.race([once(worker, 'message', { signal }), ended]);
    return result;
  } finally {
    settled.abort();
  }
}

/**
 * Returns the path of the worker, which has the same extension as this file: `.ts` in a checkout, `.js` in the package.
 */
function workerFile(): string {
  const own = fileURLToPath(import.meta.url);
  return path.join(path.dirname(own), `introspection-worker${path.extname(own)}`);
}
