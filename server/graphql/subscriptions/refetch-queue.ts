import { callerOf, type Share } from '../../db/requests/fairness/fair-shares.ts';

export interface RefetchQueueOptions {
  /** Maximum fetches that run at a time. */
  readonly concurrent: number;
  /** Maximum fetches of one role that begin in a second. One caller may begin half as many. */
  readonly perSecond: number;
}

/** One caller may begin this part of the fetches of its role, and have this part of the running ones. */
const CALLER_PART = 0.5;
/** One role may have this part of the running fetches. So slow fetches of one role do not stop those of others. */
const ROLE_PART = 0.75;

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

/** A fetch that counts to a caller. */
export interface Turn {
  readonly share: Share;
  /** Must not reject. */
  readonly work: () => Promise<void>;
}

/** A fetch that waits in the lines of several callers. It begins when it is the turn of one of them. */
interface Waiting {
  readonly turns: readonly Turn[];
}

interface Line {
  readonly waiting: Map<Waiting, Turn>;
  readonly allowance: Allowance;
  running: number;
}

interface RoleLines {
  readonly allowance: Allowance;
  running: number;
  /** The fetches of each caller. The caller that was served last stands at the end. */
  readonly callers: Map<string, Line>;
}

/**
 * Decides which fetch of a subscription begins next. Roles take turns, and within a role its callers, so that a caller
 * with many or slow subscriptions does not delay the others.
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

  /**
   * Calls the work of one of the turns when a fetch of its caller may begin. Returns a function that drops the fetch if it
   * still waits.
   */
  add(...turns: readonly Turn[]): () => void {
    if (this.#isClosed) return () => {};
    const waiting: Waiting = { turns };
    for (const turn of turns) this.#lineOf(turn.share).line.waiting.set(waiting, turn);
    this.#begin();
    return () => this.#remove(waiting);
  }

  /** Drops all waiting fetches. */
  close(): void {
    this.#isClosed = true;
    this.#roles.clear();
    clearTimeout(this.#timer);
  }

  #remove(waiting: Waiting): void {
    for (const { share } of waiting.turns) {
      this.#roles.get(share.role)?.callers.get(callerOf(share))?.waiting.delete(waiting);
    }
  }

  #lineOf(share: Share): { readonly role: RoleLines; readonly line: Line } {
    const { perSecond } = this.#options;
    const now = performance.now();
    const role = this.#roles.get(share.role) ?? {
      allowance: new Allowance(perSecond, now),
      callers: new Map<string, Line>(),
      running: 0,
    };
    this.#roles.set(share.role, role);
    const caller = callerOf(share);
    const line = role.callers.get(caller) ?? {
      waiting: new Map<Waiting, Turn>(),
      allowance: new Allowance(perSecond * CALLER_PART, now),
      running: 0,
    };
    role.callers.set(caller, line);
    return { role, line };
  }

  #begin(): void {
    while (this.#running < this.#options.concurrent && !this.#isClosed) {
      const next = this.#next();
      if (!next) return;
      this.#run(next);
    }
  }

  #run({ share, work }: Turn): void {
    const { role, line } = this.#lineOf(share);
    const count = (change: 1 | -1) => {
      this.#running += change;
      role.running += change;
      line.running += change;
    };
    count(1);
    void work().finally(() => {
      count(-1);
      this.#begin();
    });
  }

  /** Takes the next fetch that may begin now. Without one, tries again when the first allowance permits it. */
  #next(): Turn | undefined {
    const now = performance.now();
    let soonest = Number.POSITIVE_INFINITY;
    for (const [name, role] of this.#roles) {
      const found = this.#nextOf(role, now);
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

  /**
   * Takes the next fetch of a role; otherwise returns the milliseconds until an allowance permits one, infinite without
   * any.
   */
  #nextOf(role: RoleLines, now: number): Turn | number {
    const { concurrent } = this.#options;
    if (role.running >= Math.ceil(concurrent * ROLE_PART)) return Number.POSITIVE_INFINITY;
    const roleWait = role.allowance.waitMs(now);
    // Without a look at the callers: with thousands of them, each added fetch would look at all.
    if (roleWait > 0) return roleWait;
    let soonest = Number.POSITIVE_INFINITY;
    for (const [key, line] of role.callers) {
      const [first] = line.waiting;
      if (!first) {
        forgetIdle(role, key, now);
        continue;
      }
      if (line.running >= Math.ceil(concurrent * CALLER_PART)) continue;
      const wait = line.allowance.waitMs(now);
      soonest = Math.min(soonest, wait);
      if (wait > 0) continue;
      role.callers.delete(key);
      role.callers.set(key, line);
      role.allowance.take();
      line.allowance.take();
      const [waiting, turn] = first;
      this.#remove(waiting);
      return turn;
    }
    return soonest;
  }
}

/** A caller is remembered only until it may begin as many fetches as a new one. */
function forgetIdle({ callers }: RoleLines, key: string, now: number): void {
  const line = callers.get(key);
  if (line?.running === 0 && line.allowance.isWhole(now)) callers.delete(key);
}
