import { fork } from 'node:child_process';
import { setPriority } from 'node:os';
import path from 'node:path';
import type { AttackSettings } from './attacks.ts';

/** The number of answers by error code. */
export type Outcomes = readonly (readonly [string, number])[];

export interface RunningAttack {
  /** Resolves when the first requests are sent. */
  readonly begun: Promise<void>;
  /** The outcomes that have occurred so far. */
  readonly met: ReadonlySet<string>;
  /** Ends the attack and returns the numbers of its outcomes. */
  stop(): Promise<Outcomes>;
  /** Ends the attack at once. */
  kill(): void;
}

/** Starts an attack in a separate process. */
export function startAttack(settings: AttackSettings): RunningAttack {
  const env = { ...process.env, ROWGATE_BENCH: JSON.stringify(settings) };
  const attacker = fork(path.join(import.meta.dirname, 'attacker.ts'), { env });
  // A real attacker uses another computer, so this process gets only the processor time that other processes do not
  // need.
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
