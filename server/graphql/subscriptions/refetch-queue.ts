import { callerOf, type Share } from '../../db/requests/fairness/fair-shares.ts';

export interface RefetchQueueOptions {
  /** Maximum fetches that run at a time. */
  readonly concurrent: number;
  /** Maximum fetches of one role that begin in a second. One caller may begin half as many. */
  readonly perSecond: number;
}

/** One caller may begin this part of the fetches of its role. */
const CALLER_PART = 0.5;

/** The right to begin fetches at a limited rate. A second's worth may be saved up. */
class Allowance {
  readonly #perSecond: number;
  #saved: number;
  #at: number;

  constructor(perSecond: number, now: number) {
    this.#perSecond = Math.max(1, perSecond);
    this.#saved = this.#perSecond;
    this.#at = now;
  }

  /** Returns the milliseconds until a fetch may begin; 0: now. */
  waitMs(now: number): number {
    this.#saved = Math.min(
      this.#perSecond,
      this.#saved + ((now - this.#at) * this.#perSecond) / 1000,
    );
    this.#at = now;
    return this.#saved >= 1 ? 0 : Math.ceil(((1 - this.#saved) * 1000) / this.#perSecond);
  }

  take(): void {
    this.#saved -= 1;
  }

  isWhole(now: number): boolean {
    this.waitMs(now);
    return this.#saved === this.#perSecond;
  }
}

interface Line {
  readonly waiting: (() => Promise<void>)[];
  readonly allowance: Allowance;
}

interface RoleLines {
  readonly allowance: Allowance;
  /** The fetches of each caller. The caller that was served last stands at the end. */
  readonly callers: Map<string, Line>;
}

/**
 * Decides which fetch of a subscription begins next. Roles take turns, and within a role its callers, so that a caller
 * with many subscriptions does not delay the others.
 */
export class RefetchQueue {
  readonly #options: RefetchQueueOptions;
  /** The role that was served last stands at the end. */
  readonly #roles = new Map<string, RoleLines>();
  #running = 0;
  #timer: NodeJS.Timeout | undefined;
  #isClosed = false;

  constructor(options: RefetchQueueOptions) {
    this.#options = options;
  }

  /** Calls `work` when a fetch of this caller may begin. `work` must not reject. */
  add(share: Share, work: () => Promise<void>): void {
    if (this.#isClosed) return;
    this.#lineOf(share).waiting.push(work);
    this.#begin();
  }

  /** Drops all waiting fetches. */
  close(): void {
    this.#isClosed = true;
    this.#roles.clear();
    clearTimeout(this.#timer);
  }

  #lineOf(share: Share): Line {
    const { perSecond } = this.#options;
    const now = performance.now();
    const role = this.#roles.get(share.role) ?? {
      allowance: new Allowance(perSecond, now),
      callers: new Map<string, Line>(),
    };
    this.#roles.set(share.role, role);
    const caller = callerOf(share);
    const line = role.callers.get(caller) ?? {
      waiting: [],
      allowance: new Allowance(perSecond * CALLER_PART, now),
    };
    role.callers.set(caller, line);
    return line;
  }

  #begin(): void {
    while (this.#running < this.#options.concurrent && !this.#isClosed) {
      const next = this.#next();
      if (!next) return;
      this.#running += 1;
      void next().finally(() => {
        this.#running -= 1;
        this.#begin();
      });
    }
  }

  /** Takes the next fetch that may begin now. Without one, tries again when the first allowance permits it. */
  #next(): (() => Promise<void>) | undefined {
    const now = performance.now();
    let soonest = Number.POSITIVE_INFINITY;
    for (const [name, role] of this.#roles) {
      const found = nextOf(role, now);
      if (typeof found === 'number') {
        soonest = Math.min(soonest, found);
        if (role.callers.size === 0 && role.allowance.isWhole(now)) this.#roles.delete(name);
        continue;
      }
      this.#roles.delete(name);
      this.#roles.set(name, role);
      return found;
    }
    clearTimeout(this.#timer);
    if (Number.isFinite(soonest)) {
      this.#timer = setTimeout(() => this.#begin(), soonest).unref();
    }
    return undefined;
  }
}

/** Takes the next fetch of a role; otherwise returns the milliseconds until one may begin, infinite without any. */
function nextOf({ allowance, callers }: RoleLines, now: number): (() => Promise<void>) | number {
  let soonest = Number.POSITIVE_INFINITY;
  const roleWait = allowance.waitMs(now);
  for (const [key, line] of callers) {
    const isIdle = line.waiting.length === 0;
    if (isIdle) {
      // A caller is remembered only until it may begin as many fetches as a new one.
      if (line.allowance.isWhole(now)) callers.delete(key);
      continue;
    }
    const wait = Math.max(roleWait, line.allowance.waitMs(now));
    soonest = Math.min(soonest, wait);
    if (wait > 0) continue;
    callers.delete(key);
    callers.set(key, line);
    allowance.take();
    line.allowance.take();
    return line.waiting.shift() ?? soonest;
  }
  return soonest;
}
