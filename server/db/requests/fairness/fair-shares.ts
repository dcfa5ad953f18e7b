/** The caller to which the use of a limited resource is counted. */
export interface Share {
  /** The role of the caller. All its callers together have a limit, too. */
  readonly role: string;
  readonly caller: string;
  /** Identifies the caller in all roles. Absent: the same caller in different roles counts as several callers. */
  readonly person?: string | undefined;
  /** The weight of the role compared with other roles; usually 1. */
  readonly weight: number;
}

/** The keys of `callerOf`. Each request needs its key several times, and frequent callers keep their share. */
const keys = new WeakMap<Share, string>();

/** Returns the key of a caller, which is the same in all roles when the person is known. */
export function callerOf(share: Share): string {
  const known = keys.get(share);
  if (known !== undefined) return known;
  const { role, caller, person } = share;
  const key = person === undefined ? `${role}\0${caller}` : `\0${person}`;
  keys.set(share, key);
  return key;
}

/** The amounts that a role and a caller hold. */
export interface Held {
  readonly byRole: number;
  readonly byCaller: number;
}

/**
 * A caller may hold as much as is free, multiplied by the weight of the role. All callers of one role together may hold
 * twice as much. So a part always stays free for the next caller: of 10 connections, one caller may hold 5, and the
 * callers of one role together 7.
 */
const ROLE_TIMES_FREE = 2;

interface Role {
  held: number;
  readonly callers: Map<string, number>;
}

/** Divides a fixed amount among callers so that none of them can take all of it. */
export class FairShares {
  readonly #roles = new Map<string, Role>();
  readonly #persons = new Map<string, number>();
  #free: number;

  constructor(amount: number) {
    this.#free = amount;
  }

  held({ role, caller, person }: Share): Held {
    const found = this.#roles.get(role);
    const own = person === undefined ? found?.callers.get(caller) : this.#persons.get(person);
    return { byRole: found?.held ?? 0, byCaller: own ?? 0 };
  }

  /** Returns true when a caller may take an amount. */
  mayTake(share: Share, amount: number): boolean {
    const free = this.#free;
    if (amount > free) return false;
    const { byRole, byCaller } = this.held(share);
    const bound = share.weight * free;
    return byCaller < bound && byRole < ROLE_TIMES_FREE * bound;
  }

  /**
   * Returns true when a caller may take an amount in several parts, assuming that no other caller takes a part
   * meanwhile.
   */
  mayTakeInPieces(share: Share, amount: number): boolean {
    const left = this.#free - amount;
    const { byRole, byCaller } = this.held(share);
    const bound = share.weight * left;
    return byCaller + amount <= bound && byRole + amount <= ROLE_TIMES_FREE * bound;
  }

  /**
   * Takes an amount for a caller.
   * @returns false, and takes nothing, when the caller may not take the amount
   */
  take(share: Share, amount: number): boolean {
    const isAllowed = this.mayTake(share, amount);
    if (isAllowed) this.#add(share, amount);
    return isAllowed;
  }

  /**
   * Takes an amount without a check: for callers that have checked already, and for answers that must not be refused.
   */
  takeAnyway(share: Share, amount: number): void {
    this.#add(share, amount);
  }

  giveBack(share: Share, amount: number): void {
    this.#add(share, -amount);
  }

  #add({ role, caller, person }: Share, amount: number): void {
    const found = this.#roleOf(role);
    this.#free -= amount;
    found.held += amount;
    add(found.callers, caller, amount);
    if (person !== undefined) add(this.#persons, person, amount);
  }

  /** The roles of a model are few, so a role stays known when its last caller has returned everything. */
  #roleOf(name: string): Role {
    const known = this.#roles.get(name);
    if (known) return known;
    const role = { held: 0, callers: new Map<string, number>() };
    this.#roles.set(name, role);
    return role;
  }
}

/** Adds an amount to that of a caller, who is forgotten when nothing is left. */
function add(amounts: Map<string, number>, key: string, amount: number): void {
  const sum = (amounts.get(key) ?? 0) + amount;
  if (sum === 0) amounts.delete(key);
  else amounts.set(key, sum);
}
