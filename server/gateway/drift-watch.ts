import { setTimeout as delay } from 'node:timers/promises';
import type pino from 'pino';
import { type DriftSubject, inspectDrift, type SeenDrift } from '../../permissions/index.ts';
import { withConnection } from '../db/connection.ts';
import { ProcessError } from '../errors.ts';
import { loggedReason } from '../log/log-error.ts';

const retryMs = 5000;

/** Keeps an eye on what others do to the database that is served. */
export interface DriftWatch {
  /** Why requests should go elsewhere, as of the last look; names are for the log alone. */
  readonly problems: readonly string[];
  /** Looks now, after a look that is under way. Never throws. */
  look(): Promise<void>;
  close(): Promise<void>;
}

export interface DriftWatchOptions {
  /** Of the gateway's login: what it needs to see, everybody may see. */
  readonly url: string;
  readonly subject: () => DriftSubject;
  /** Milliseconds between two looks. */
  readonly intervalMs: number;
  readonly logger: pino.Logger;
}

/** Looks once, and then again and again until it is closed. */
export async function watchDrift(options: DriftWatchOptions): Promise<DriftWatch> {
  const watcher = new Watcher(options);
  await watcher.look();
  const stop = new AbortController();
  const finished = keepLooking(watcher, options.intervalMs, stop.signal);
  return {
    get problems() {
      return watcher.problems;
    },
    look: () => watcher.look(),
    close: async () => {
      stop.abort();
      await finished;
      await watcher.idle();
    },
  };
}

async function keepLooking(watcher: Watcher, intervalMs: number, stop: AbortSignal): Promise<void> {
  while (!stop.aborted) {
    const wait = watcher.failed ? Math.min(retryMs, intervalMs) : intervalMs;
    await delay(wait, undefined, { signal: stop, ref: false }).catch(() => {});
    if (!stop.aborted) await watcher.look();
  }
}

class Watcher {
  problems: readonly string[] = [];
  failed = false;
  readonly #options: DriftWatchOptions;
  #running: Promise<void> = Promise.resolve();
  #seen: { readonly digest: string; readonly fingerprint: string } | undefined;

  constructor(options: DriftWatchOptions) {
    this.#options = options;
  }

  look(): Promise<void> {
    this.#running = this.#running.then(() => this.#look());
    return this.#running;
  }

  idle(): Promise<void> {
    return this.#running;
  }

  async #look(): Promise<void> {
    const { url, logger } = this.#options;
    try {
      await withConnection(url, (client) => this.#compare(client));
      this.failed = false;
    } catch (error) {
      this.failed = true;
      logger.warn({ reason: loggedReason(error) }, 'cannot look for drift');
      // The readiness check already reports a database that does not answer.
      if (error instanceof ProcessError && error.code === 'RG_DATABASE_UNREACHABLE') return;
      this.#seen = undefined;
      this.problems = ['whether the database has drifted cannot be told; the log says why'];
    }
  }

  async #compare(client: Parameters<typeof inspectDrift>[0]): Promise<void> {
    const subject = this.#options.subject();
    const { fingerprint } = subject.model;
    const known = this.#seen?.fingerprint === fingerprint ? this.#seen.digest : undefined;
    const seen = await inspectDrift(client, subject, known);
    if (!seen) return;
    this.#seen = { digest: seen.digest, fingerprint };
    this.#report(seen.drift);
  }

  #report({ differences: found, replaced }: SeenDrift['drift']): void {
    const { logger } = this.#options;
    const differences = found.map((one) => one.text);
    const { length } = differences;
    if (replaced.length > 0) {
      logger.warn({ replaced }, 'views were replaced since their rules were applied');
    }
    if (length > 0) logger.error({ differences }, "the database was changed behind Rowgate's back");
    else if (this.problems.length > 0) logger.info('the database is as apply left it again');
    const count = length === 1 ? '1 difference' : `${length} differences`;
    this.problems =
      length === 0
        ? []
        : [`the database was changed behind Rowgate's back (${count}); rowgate drift lists them`];
  }
}
