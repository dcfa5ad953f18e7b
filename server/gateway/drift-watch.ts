import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import type pino from 'pino';
import { type DriftSubject, inspectDrift, type SeenDrift } from '../../permissions/index.ts';
import { withConnection } from '../db/connection.ts';
import { isFatal } from '../db/requests/outcome-unknown-error.ts';
import { ProcessError } from '../errors.ts';
import { loggedReason } from '../log/log-error.ts';

const retryMs = 5000;

/** The result of a check. */
export interface DriftResult {
  /** The end of the check, in milliseconds since 1970. */
  readonly at: number;
  /** The differences between the database and the applied rules, in words. */
  readonly differences: readonly string[];
  /** The views that were replaced since their rules were applied. */
  readonly replaced: readonly string[];
}

/** Checks periodically whether the database still matches the applied rules. */
export interface DriftWatch {
  /** The problems that the last check found, for the public readiness endpoint. Object names appear in the log only. */
  readonly problems: readonly string[];
  /** The result of the last check that could compare; absent before the first one. */
  readonly result: DriftResult | undefined;
  /** Starts a check, after a running check has ended, and resolves when the new check ends. Never throws. */
  check(): Promise<void>;
  close(): Promise<void>;
}

export interface DriftWatchOptions {
  /** The database URL of the gateway login. Every login may read the catalogs that the check needs. */
  readonly url: string;
  readonly subject: () => DriftSubject;
  /** Milliseconds between two checks. */
  readonly intervalMs: number;
  /** Called after each comparison of all rules with the database, which needs much memory. */
  readonly onCompared?: () => void;
  readonly logger: pino.Logger;
}

/** Resolves after the first check. Further checks follow until the watch is closed. */
export async function watchDrift(options: DriftWatchOptions): Promise<DriftWatch> {
  const watcher = new Watcher(options);
  await watcher.check();
  const stop = new AbortController();
  const finished = checkPeriodically(watcher, options.intervalMs, stop.signal);
  return {
    get problems() {
      return watcher.problems;
    },
    get result() {
      return watcher.result;
    },
    check: () => watcher.check(),
    close: async () => {
      stop.abort();
      await finished;
      await watcher.idle();
    },
  };
}

/** Checks once. Returns undefined when the database cannot be compared; the log has the reason. */
export async function checkDriftOnce(
  options: Omit<DriftWatchOptions, 'intervalMs'>,
): Promise<DriftResult | undefined> {
  const watcher = new Watcher(options);
  await watcher.check();
  return watcher.result;
}

async function checkPeriodically(
  watcher: Watcher,
  intervalMs: number,
  stop: AbortSignal,
): Promise<void> {
  while (!stop.aborted) {
    const wait = watcher.failed ? Math.min(retryMs, intervalMs) : intervalMs;
    await delay(wait, undefined, { signal: stop, ref: false }).catch(() => {});
    if (!stop.aborted) await watcher.check();
  }
}

class Watcher {
  /** A check that never ended leaves the first problem, because drift must not go unnoticed. */
  problems: readonly string[] = ['the database has not been checked for drift yet'];
  failed = false;
  result: DriftResult | undefined;
  readonly #options: Omit<DriftWatchOptions, 'intervalMs'>;
  #hasDrifted = false;
  #running: Promise<void> = Promise.resolve();
  #seen: { readonly digest: string; readonly fingerprint: string } | undefined;

  constructor(options: Omit<DriftWatchOptions, 'intervalMs'>) {
    this.#options = options;
  }

  check(): Promise<void> {
    this.#running = this.#running.then(() => this.#check());
    return this.#running;
  }

  idle(): Promise<void> {
    return this.#running;
  }

  async #check(): Promise<void> {
    const { url, logger } = this.#options;
    try {
      await withConnection(url, (client) => this.#compare(client));
      this.failed = false;
    } catch (error) {
      this.failed = true;
      logger.warn({ reason: loggedReason(error) }, 'cannot check for drift');
      // The readiness check already reports a database that does not answer.
      if (isOutage(error)) return;
      this.#seen = undefined;
      this.problems = ['the database cannot be checked for drift; the log has the reason'];
    }
  }

  async #compare(client: Parameters<typeof inspectDrift>[0]): Promise<void> {
    const subject = this.#options.subject();
    const { fingerprint } = subject.model;
    const known = this.#seen?.fingerprint === fingerprint ? this.#seen.digest : undefined;
    const seen = await inspectDrift(client, subject, known);
    // Nothing has changed since the last comparison.
    if (!seen) {
      if (this.result) this.result = { ...this.result, at: Date.now() };
      return;
    }
    this.#seen = { digest: seen.digest, fingerprint };
    this.#report(seen.drift);
    this.#options.onCompared?.();
  }

  #report({ differences: found, replaced }: SeenDrift['drift']): void {
    const { logger } = this.#options;
    const differences = found.map((one) => one.text);
    const { length } = differences;
    this.result = { at: Date.now(), differences, replaced };
    if (replaced.length > 0) {
      logger.warn({ replaced }, 'views were replaced since their rules were applied');
    }
    if (length > 0) logger.error({ differences }, "the database was changed behind Rowgate's back");
    else if (this.#hasDrifted) logger.info('the drift of the database has been repaired');
    this.#hasDrifted = length > 0;
    const count = length === 1 ? '1 difference' : `${length} differences`;
    this.problems =
      length === 0
        ? []
        : [`the database was changed behind Rowgate's back (${count}); rowgate drift lists them`];
  }
}

function isOutage(error: unknown): boolean {
  if (error instanceof pg.DatabaseError) return isFatal(error);
  return error instanceof ProcessError && error.code === 'RG_DATABASE_UNREACHABLE';
}
