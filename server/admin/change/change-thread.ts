import path from 'node:path';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { Piscina } from 'piscina';
import { CommandError, PlanChangedError } from '../../../permissions/index.ts';
import { ConcurrencyLimit } from '../../concurrency-limit.ts';
import type { Failure, Tasks } from './change-worker.ts';

/** Long enough that the next edit meets the parsed files and the catalog. */
const idleTimeout = 60_000;
/** Without limits, V8 collects the garbage of a thread only after hundreds of mebibytes. */
const resourceLimits = { maxYoungGenerationSizeMb: 32, maxOldGenerationSizeMb: 1024 };

/**
 * A thread that compares drafts, runs tests or applies, because one step of that can take a second, and other requests
 * must not wait. It starts with its first task and ends when it is idle.
 */
export class ChangeThread {
  // Tasks must not wait inside the pool, because it does not replace a lost thread for a waiting task.
  readonly #limit = new ConcurrencyLimit(1);
  #pool: Piscina | undefined;

  /** Runs one task. An aborted signal ends the thread, and Postgres rolls back what it did. */
  async run<Name extends keyof Tasks>(
    name: Name,
    task: Parameters<Tasks[Name]>[0],
    signal: AbortSignal,
  ): Promise<Value<Name>> {
    return this.#limit.run(async () => {
      this.#pool ??= openPool();
      const result: Awaited<ReturnType<Tasks[Name]>> = await this.#pool
        .run(task, { name, signal })
        .catch((error: unknown) => {
          signal.throwIfAborted();
          throw ranOutOfMemory(error) ? tooLarge() : error;
        });
      if ('failure' in result) throw errorOf(result.failure);
      return result.value as Value<Name>;
    });
  }

  async close(): Promise<void> {
    await this.#pool?.destroy();
  }
}

type Value<Name extends keyof Tasks> = Extract<
  Awaited<ReturnType<Tasks[Name]>>,
  { readonly value: unknown }
>['value'];

function openPool(): Piscina {
  const pool = new Piscina({
    ...{ filename: workerFile(), minThreads: 0, maxThreads: 1, idleTimeout, resourceLimits },
    // The options of this process, such as `--inspect`, must not apply to the thread.
    execArgv: [],
  });
  // An idle thread may die. The pool starts another one, so the error needs no handling; unhandled, it would end the
  // process.
  pool.on('error', () => {});
  return pool;
}

/** Makes the error of a task again. Threads pass on only the messages of errors. */
function errorOf(failure: Failure): Error {
  switch (failure.kind) {
    case 'command':
      return new CommandError(failure.code, failure.message, failure);
    case 'plan':
      return new PlanChangedError();
    case 'database': {
      const { message, code } = failure;
      return Object.assign(new pg.DatabaseError(message, message.length, 'error'), { code });
    }
    case 'other':
      return new Error(failure.message);
  }
}

function ranOutOfMemory(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY';
}

function tooLarge(): CommandError {
  return new CommandError('RG_USAGE', 'the draft needs too much memory', {
    ...{ exitCode: 2, hint: 'use the command line of rowgate' },
  });
}

/**
 * Returns the path of the worker, which has the same extension as this file: `.ts` in a checkout, `.js` in the package.
 */
function workerFile(): string {
  const own = fileURLToPath(import.meta.url);
  return path.join(path.dirname(own), `change-worker${path.extname(own)}`);
}
