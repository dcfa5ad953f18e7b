import { execFileSync } from 'node:child_process';
import { cpus, loadavg } from 'node:os';

/** Where and when figures were measured. */
export interface Setting {
  readonly date: string;
  readonly commit: string;
  readonly processors: string;
  readonly node: string;
  readonly postgres: string;
  readonly rounds: number;
  readonly roundMs: number;
  /** The load of the machine before the measurement. */
  readonly loadBefore: number;
  /** Everything that could not be measured, with the reason. */
  readonly missing: Readonly<Record<string, string>>;
}

export function describeSetting(
  given: Pick<Setting, 'postgres' | 'rounds' | 'roundMs' | 'missing'>,
): Setting {
  const found = cpus();
  return {
    date: new Date().toISOString().slice(0, 10),
    commit: currentCommit(),
    processors: `${found.length} × ${found[0]?.model ?? 'unknown'}`,
    node: process.version,
    loadBefore: loadavg()[0] ?? 0,
    ...given,
  };
}

function currentCommit(): string {
  try {
    const git = ['rev-parse', '--short', 'HEAD'];
    return execFileSync('git', git, { encoding: 'utf8', cwd: import.meta.dirname }).trim();
  } catch {
    return 'unknown';
  }
}

/** Returns the lines of a report that say how its figures were measured, and what is missing. */
export function settingLines(setting: Setting): readonly string[] {
  const { date, commit, processors, node, postgres, rounds, roundMs, loadBefore } = setting;
  return [
    `Measured on ${date} at commit ${commit}: ${processors}, Node ${node}, Postgres ${postgres}, ${rounds} rounds of ${roundMs} ms, load of the machine before ${loadBefore.toFixed(1)}. All servers, Postgres and the load generator shared these processors.`,
    ...Object.entries(setting.missing).map(([name, reason]) => `Not measured: ${name}, ${reason}.`),
  ];
}
