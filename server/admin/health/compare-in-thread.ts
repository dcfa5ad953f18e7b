import { once } from 'node:events';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import type { Static } from 'typebox';
import type { AppliedMetadata, Naming } from '../../../permissions/index.ts';
import type { comparisonAnswer } from './health-bodies.ts';

/** Two applies, in the order of time. */
export interface ComparisonTask {
  readonly before: AppliedMetadata;
  readonly after: AppliedMetadata;
  readonly naming: Naming;
}

/** The changes, or the mistakes for which this version of the program cannot read an apply. */
export type ComparisonResult = Static<typeof comparisonAnswer> | { readonly unreadable: string };

/** Without limits, V8 collects the garbage of a thread only after hundreds of mebibytes. */
const resourceLimits = { maxYoungGenerationSizeMb: 16, maxOldGenerationSizeMb: 1024 };

/** Compares two applies in a thread of its own, because other requests would wait for seconds. */
export async function compareInThread(
  workerData: ComparisonTask,
  signal: AbortSignal,
): Promise<ComparisonResult> {
  // The options of this process, such as `--inspect`, must not apply to the thread.
  const worker = new Worker(workerFile(), { resourceLimits, execArgv: [], workerData });
  try {
    // An error of the thread rejects, too.
    const [result] = await once(worker, 'message', { signal });
    return result;
  } finally {
    await worker.terminate();
  }
}

/** Returns the worker, which has the extension of this file: `.ts` in a checkout, `.js` in the package. */
function workerFile(): string {
  const own = fileURLToPath(import.meta.url);
  return path.join(path.dirname(own), `comparison-worker${path.extname(own)}`);
}
