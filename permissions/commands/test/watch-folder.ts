import { once } from 'node:events';
import { watch } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';

/** Editors write a file in several steps, whose events arrive within milliseconds. */
const settleMs = 50;

/**
 * Runs work now and after each change of a file in the folder, until the process ends. Changes during a run cause one
 * more run.
 */
export async function watchFolder(folder: string, work: () => Promise<void>): Promise<never> {
  let isChanged = true;
  const watcher = watch(folder, { recursive: true });
  watcher.on('change', () => {
    isChanged = true;
  });
  for (;;) {
    if (!isChanged) await once(watcher, 'change');
    await wait(settleMs);
    isChanged = false;
    await work();
  }
}
