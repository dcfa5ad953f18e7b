/*
 * Holds subscribers in a process of its own. The parent opens them, and receives their messages after its writes.
 */
import type { Command, Reply } from './clients.ts';
import type { Audience } from './plan.ts';
import { Subscriber } from './subscriber.ts';

/** Sockets that are opened at a time. */
const CONCURRENT = 40;
const PATIENCE_MS = 20_000;

let subscribers: Subscriber[] = [];
/** Rejects when a subscriber has a problem, also between two commands. */
const failed = Promise.withResolvers<never>();
failed.promise.catch(() => {});
const onProblem = (problem: string) => failed.reject(new Error(problem));

async function open(port: number, { tenants, perTenant }: Audience): Promise<void> {
  const owners = Array.from({ length: tenants * perTenant }, (_, index) => 1 + (index % tenants));
  const waiting = owners.values();
  const openRest = async () => {
    // All openers share the iterator.
    for (const tenant of waiting) {
      const subscriber = new Subscriber(port, tenant, onProblem);
      subscribers.push(subscriber);
      await subscriber.open();
    }
  };
  await Promise.all(Array.from({ length: CONCURRENT }, openRest));
}

async function waitFor(newest: ReadonlyMap<number, number>): Promise<void> {
  const late = setTimeout(
    () => onProblem(`a write has not arrived after ${PATIENCE_MS} ms`),
    PATIENCE_MS,
  );
  await Promise.all(
    subscribers.map((subscriber) => subscriber.until(newest.get(subscriber.received.tenant) ?? 0)),
  );
  clearTimeout(late);
}

async function follow(command: Command): Promise<Reply> {
  if ('open' in command) await open(command.port, command.open);
  else if ('record' in command) for (const subscriber of subscribers) subscriber.record();
  else if ('take' in command) {
    await waitFor(new Map(command.take));
    return { received: subscribers.map(({ received }) => received) };
  } else {
    await Promise.all(subscribers.map((subscriber) => subscriber.close()));
    subscribers = [];
  }
  return {};
}

process.on('message', async (command: Command) => {
  const reply = await Promise.race([follow(command), failed.promise]).catch((error: unknown) => ({
    failure: String(error),
  }));
  process.send?.(reply);
});
process.on('disconnect', () => process.exit());
