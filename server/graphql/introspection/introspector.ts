import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { Piscina } from 'piscina';
import { BusyError } from '../../db/requests/busy-error.ts';
import { RequestError } from '../request-error.ts';
import type { Variables } from '../validate/variables.ts';
import type { Introspection, IntrospectionTexts } from './introspection.ts';
import type { IntrospectionResult, IntrospectionTask } from './introspection-worker.ts';
import type { RoleSource } from './role-source.ts';

/** One introspection of one role. */
export interface IntrospectionRequest {
  /** A key that is equal for equal schemas of one version of the model. */
  readonly schemaKey: string;
  /** Called when the thread does not have the schema yet. */
  readonly source: () => RoleSource;
  readonly introspection: Introspection;
  readonly variables: Variables;
  /** Maximum size of the answer. */
  readonly maxBytes: number;
  readonly signal: AbortSignal | undefined;
}

/** The thread ends after this time without introspection, and its memory is free again. */
const IDLE_MS = 10_000;
const MAX_WAITING = 200;
/** Without limits, V8 collects the garbage of a thread only after hundreds of mebibytes. */
const resourceLimits = { maxYoungGenerationSizeMb: 16, maxOldGenerationSizeMb: 1024 };

/**
 * Answers introspection in a thread. PostGraphile builds the schema of a role there, which takes long for many tables,
 * and the schema takes no memory once the thread has ended.
 */
export class Introspector {
  readonly #pool: Piscina<IntrospectionTask, IntrospectionResult>;

  constructor() {
    this.#pool = new Piscina({
      filename: workerFile(),
      name: 'answer',
      minThreads: 0,
      maxThreads: 1,
      idleTimeout: IDLE_MS,
      maxQueue: MAX_WAITING,
      resourceLimits,
      // The options of this process, such as `--inspect`, must not apply to the thread.
      execArgv: [],
    });
    // An idle thread may die. The pool starts another one, so the error needs no handling; unhandled, it would end the
    // process.
    this.#pool.on('error', () => {});
  }

  /** @throws RequestError, BusyError */
  async answer(request: IntrospectionRequest): Promise<IntrospectionTexts> {
    const first = await this.#run(request, undefined);
    const result = first.kind === 'unknown' ? await this.#run(request, request.source()) : first;
    if (result.kind === 'answered') return result.texts;
    if (result.kind === 'unknown') throw new Error('the thread does not build the schema');
    throw new RequestError(result.code, result.message, result.path);
  }

  async close(): Promise<void> {
    await this.#pool.destroy();
  }

  #run(request: IntrospectionRequest, source: RoleSource | undefined) {
    if (this.#pool.queueSize >= MAX_WAITING) throw new BusyError('too many introspections wait');
    const { schemaKey, introspection, maxBytes, signal } = request;
    const variables = JSON.parse(JSON.stringify(Object.fromEntries(request.variables)));
    const task = { schemaKey, source, introspection, variables, maxBytes };
    return this.#pool.run(task, signal ? { signal } : {});
  }
}

/**
 * Returns the path of the worker, which has the same extension as this file: `.ts` in a checkout, `.js` in the package.
 */
function workerFile(): string {
  const own = fileURLToPath(import.meta.url);
  return path.join(path.dirname(own), `introspection-worker${path.extname(own)}`);
}
