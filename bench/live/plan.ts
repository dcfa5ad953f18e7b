/** Subscribers of one server: each tenant has one live query, with the same number of subscribers. */
export interface Audience {
  readonly tenants: number;
  readonly perTenant: number;
}

/** How much is measured. */
export interface Plan {
  readonly roundMs: number;
  readonly warmUpMs: number;
  readonly writesPerSecond: number;
  /** Subscribers that share live queries, for Rowgate and for polling. */
  readonly shared: Audience;
  /** Subscribers whose live queries all differ. */
  readonly narrowed: Audience;
  readonly idle: Audience;
  /** Milliseconds of a round without writes; as long as the checks of callers and the pings need to come once each. */
  readonly idleMs: number;
  /** Seconds for which pgbench runs one script. */
  readonly pgbenchSeconds: number;
}

const whole: Plan = {
  ...{ roundMs: 10_000, warmUpMs: 3000, writesPerSecond: 50 },
  shared: { tenants: 100, perTenant: 10 },
  narrowed: { tenants: 1000, perTenant: 1 },
  idle: { tenants: 100, perTenant: 100 },
  ...{ idleMs: 30_000, pgbenchSeconds: 3 },
};

const small: Plan = {
  ...{ roundMs: 1000, warmUpMs: 200, writesPerSecond: 50 },
  shared: { tenants: 5, perTenant: 2 },
  narrowed: { tenants: 20, perTenant: 1 },
  idle: { tenants: 5, perTenant: 20 },
  ...{ idleMs: 1000, pgbenchSeconds: 1 },
};

/** @param isShort whether to check only that the benchmark works */
export function planOf(isShort: boolean): Plan {
  return isShort ? small : whole;
}

export function sizeOf({ tenants, perTenant }: Audience): number {
  return tenants * perTenant;
}

/** Sockets and database connections that a process may need beside the sockets of the subscribers. */
const spareFiles = 500;

/**
 * @param limits the text of /proc/self/limits
 * @throws Error when a process may not open as many files as there are subscribers
 */
export function refuseFewFiles(limits: string, subscribers: number): void {
  const max = /^Max open files +\d+ +(\d+)/m.exec(limits)?.[1];
  const needed = subscribers + spareFiles;
  if (max === undefined || Number(max) >= needed) return;
  throw new Error(
    `a process may open ${max} files, but needs ${needed}; run: ulimit -Hn ${needed}`,
  );
}
