import { errorMessage } from '../errors.ts';
import type { JobContext, JobOutcome } from './job.ts';

/** A part of a job. Its result is stored in the history. */
export interface Step {
  readonly name: string;
  run(context: JobContext): Promise<unknown>;
}

/** Runs the steps one after the other. A failed step makes the job fail but does not prevent the others. */
export async function runSteps(steps: readonly Step[], context: JobContext): Promise<JobOutcome> {
  const done: Record<string, unknown> = {};
  const failures: Record<string, string> = {};
  for (const step of steps) {
    context.signal.throwIfAborted();
    try {
      done[step.name] = await step.run(context);
    } catch (error) {
      failures[step.name] = errorMessage(error);
      context.logger.error({ err: error, step: step.name }, 'a step of a schedule has failed');
    }
  }
  const failed = Object.keys(failures);
  if (failed.length === 0) return { ok: true, detail: done };
  return { ok: false, detail: { error: `failed: ${failed.join(', ')}`, failures, ...done } };
}
