import { fork } from 'node:child_process';
import { setPriority } from 'node:os';
import path from 'node:path';
import type { AttackSettings } from './attacks.ts';

/** Answers by their error's code, and how often each was met. */
export type Outcomes = readonly (readonly [string, number])[];

export interface RunningAttack {
  /** Resolves when the first requests were sent. */
  readonly begun: Promise<void>;
  /** The outcomes that were met so far. */
  readonly met: ReadonlySet<string>;
  /** Ends it and counts its outcomes. */
  stop(): Promise<Outcomes>;
  /** Ends it without a count. */
  kill(): void;
}

/** Starts an attack in a process of its own. */
export function startAttack(settings: AttackSettings): RunningAttack {
  const env = { ...process.env, ROWGATE_BENCH: JSON.stringify(settings) };
  const attacker = fork(path.join(import.meta.dirname, 'attacker.ts'), { env });
  // An attacker brings a computer of its own: here it gets only the time that others leave.
  if (attacker.pid !== undefined) setPriority(attacker.pid, 19);
  const met = new Set<string>();
  const begun = Promise.withResolvers<void>();
  const { promise, resolve } = Promise.withResolvers<Outcomes>();
  attacker.on('message', (message: string | Outcomes) => {
    if (message === 'begun') begun.resolve();
    else if (typeof message === 'string') met.add(message);
    else resolve(message);
  });
  return {
    met,
    begun: begun.promise,
    stop: () => {
      attacker.send('stop');
      return promise;
    },
    kill: () => void attacker.kill(),
  };
}
