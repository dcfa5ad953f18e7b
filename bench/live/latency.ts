/** A committed change of a row. Numbers grow with time. */
export interface Write {
  readonly number: number;
  readonly tenant: number;
  /** When the writer sent `commit`, by the clock of `monotonicMs`. */
  readonly at: number;
}

/** The messages of one subscriber: when each arrived, and the number of the newest write that it shows. */
export interface Received {
  readonly tenant: number;
  readonly messages: readonly (readonly [at: number, newest: number])[];
}

/** Returns milliseconds of a clock that all processes of the machine share. */
export function monotonicMs(): number {
  return Number(process.hrtime.bigint()) / 1e6;
}

/**
 * Returns for each write and each of its subscribers the milliseconds until the first message that shows this write or a
 * later one. The writes of a tenant are in the order of their commits, so a later one is never seen without an earlier one.
 * @throws Error when a subscriber has not received a write
 */
export function latenciesOf(
  writes: readonly Write[],
  subscribers: readonly Received[],
): readonly number[] {
  const byTenant = Map.groupBy(writes, ({ tenant }) => tenant);
  return subscribers.flatMap(({ tenant, messages }) =>
    (byTenant.get(tenant) ?? []).map(({ number, at }) => {
      const message = messages.find(([, newest]) => newest >= number);
      if (!message) throw new Error(`a subscriber of tenant ${tenant} has missed write ${number}`);
      return message[0] - at;
    }),
  );
}

/** Returns the newest number of a write in an answer; 0 without any. */
export function newestIn(message: string): number {
  let newest = 0;
  for (const [, number] of message.matchAll(/"write (\d+)"/g)) {
    newest = Math.max(newest, Number(number));
  }
  return newest;
}

/** Returns whether all rows of an answer belong to the tenant. */
export function holdsOnly(tenant: number, message: string): boolean {
  const tenants = [...message.matchAll(/"tenant_id":(\d+)/g)];
  return tenants.length > 0 && tenants.every(([, found]) => Number(found) === tenant);
}
