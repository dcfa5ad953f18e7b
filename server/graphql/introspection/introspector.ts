import type { RoleModel } from '../../../permissions/index.ts';
import { FairQueue } from '../../db/requests/fairness/fair-queue.ts';
import type { Share } from '../../db/requests/fairness/fair-shares.ts';
import { RequestError } from '../request-error.ts';
import type { Variables } from '../validate/variables.ts';
import type { Introspection, IntrospectionTexts } from './introspection.ts';
import { IntrospectionThread } from './introspection-thread.ts';
import type { IntrospectionResult, IntrospectionTask } from './introspection-worker.ts';
import type { ModelSource } from './model-source.ts';

/** One introspection of one role. */
export interface IntrospectionRequest {
  /** Distinguishes the versions of the model. */
  readonly version: string;
  /** A key that is equal for equal schemas of one version of the model. */
  readonly schemaKey: string;
  readonly role: RoleModel;
  readonly asBackend: boolean;
  /** Called when the thread does not have this version of the model yet. */
  readonly source: () => ModelSource;
  readonly introspection: Introspection;
  readonly variables: Variables;
  /** Maximum size of the answer. */
  readonly maxBytes: number;
  readonly signal: AbortSignal | undefined;
  /** The caller, who takes turns with other callers. */
  readonly share: Share;
}

const MAX_WAITING = 200;
const MAX_WAIT_MS = 60_000;

/**
 * Answers introspection in a thread. PostGraphile builds the schema of a role there, which takes long for many tables,
 * and the schema takes no memory once the thread has ended.
 */
export class Introspector {
  readonly #thread = new IntrospectionThread();
  readonly #queue = new FairQueue({
    ...{ places: 1, maxWaiting: MAX_WAITING, maxWaitMs: MAX_WAIT_MS },
    resource: 'the thread that answers introspection',
  });

  /** @throws RequestError, BusyError, and the reason of the signal when it aborts */
  async answer(request: IntrospectionRequest): Promise<IntrospectionTexts> {
    const { share, signal } = request;
    await this.#queue.enter(share, signal);
    const answered = this.#answerNow(request);
    // A running task goes on after an abort: ending the thread would take the schemas from all other callers.
    const result = await (signal ? Promise.race([answered, rejectedBy(signal)]) : answered);
    if (result.kind === 'answered') return result.texts;
    if (result.kind === 'unknown') throw new Error('the thread does not build the schema');
    throw new RequestError(result.code, result.message, result.path);
  }

  async close(): Promise<void> {
    await this.#thread.close();
  }

  async #answerNow(request: IntrospectionRequest): Promise<IntrospectionResult> {
    const began = performance.now();
    try {
      const task = taskOf(request);
      const first = await this.#thread.run(task);
      if (first.kind !== 'unknown') return first;
      const { role, asBackend, source } = request;
      const missing = first.hasModel ? { role, asBackend } : { role, asBackend, model: source() };
      return await this.#thread.run({ ...task, missing });
    } finally {
      this.#queue.leave(request.share, performance.now() - began);
    }
  }
}

function taskOf(request: IntrospectionRequest): IntrospectionTask {
  const { version, schemaKey, introspection, maxBytes } = request;
  const variables = JSON.parse(JSON.stringify(Object.fromEntries(request.variables)));
  return { version, schemaKey, introspection, variables, maxBytes, missing: undefined };
}

/** Rejects with the reason of a signal when it aborts. */
function rejectedBy(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    if (signal.aborted) reject(signal.reason);
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  });
}
