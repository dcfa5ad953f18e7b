import { errorMessage } from '../errors.ts';
import type { JobContext, JobOutcome } from './job.ts';

/** A part of a job; what it returns stands in the history. */
export interface Step {
  readonly name: string;
  run(context: JobContext): Promise<unknown>;
}

/** Takes the steps one after the other. One that fails does not stop the others, and makes the job fail. */
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
