import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/**
 * Collects all garbage of this thread and returns its memory to the system. Otherwise V8 keeps the memory of large work
 * that happens once. Blocks the thread for some 100 ms, so it follows only such work.
 */
export function releaseMemory(): void {
  // Node offers the collector only under this flag, and only to contexts that are made while it is set.
  setFlagsFromString('--expose-gc');
  // All threads share the flag, so another thread may have unset it meanwhile. Nothing is released then.
  const collect: NodeJS.GCFunction | undefined = runInNewContext('globalThis.gc');
  setFlagsFromString('--no-expose-gc');
  collect?.({ type: 'major', execution: 'sync', flavor: 'last-resort' });
}
