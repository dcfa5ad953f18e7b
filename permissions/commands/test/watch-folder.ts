import { once } from 'node:events';
import { watch } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import type { ExitCode } from '../context/command.ts';

/** Editors write a file in several steps, whose events arrive within milliseconds. */
const settleMs = 50;
/** Maximum pauses until a run begins, although the folder still changes. */
const maxPauses = 20;

/**
 * Runs work now and after each change of a file in the folder, until the signal aborts. A run that has begun ends first.
 * Changes during a run cause one more run.
 * @returns the exit code of the last run; 1 if there was none
 */
export async function watchFolder(
  folder: string,
  signal: AbortSignal,
  work: () => Promise<ExitCode>,
): Promise<ExitCode> {
  let isChanged = true;
  const watcher = watch(folder, { recursive: true });
  watcher.on('change', () => {
    isChanged = true;
  });
  const settle = async () => {
    for (let pauses = 0; isChanged && pauses < maxPauses; pauses += 1) {
      isChanged = false;
      await wait(settleMs, undefined, { signal });
    }
    isChanged = false;
  };
  let code: ExitCode = 1;
  try {
    while (!signal.aborted) {
      if (!isChanged) await once(watcher, 'change', { signal });
      await settle();
      code = await work();
    }
  } catch (error) {
    if (!isAbort(error)) throw error;
  } finally {
    watcher.close();
  }
  return code;
}

function isAbort(error: unknown): boolean {
  return error instanceof Error && error.name === 'AbortError';
}
