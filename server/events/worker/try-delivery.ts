import type pg from 'pg';
import type { EventTrigger } from '../../../permissions/index.ts';
import { ConcurrencyLimit } from '../../concurrency-limit.ts';
import { appliedFingerprint } from '../../db/preparation.ts';
import { callWebhook } from '../../delivery/call-webhook.ts';
import { type Answer, isAccepted } from '../../delivery/deliver.ts';
import type { WebhookServices } from '../../delivery/resolve-webhook.ts';
import type { EventModel } from '../event-model.ts';
import { type LoadedEvent, loadBody } from './load-events.ts';
import type { HeldJob, Outcome } from './outcome.ts';
import { retryWaitMs } from './retry-wait.ts';

/** The maximum number of large payloads in memory. */
const maxLarge = 8;
/** Time for which an event of an unknown trigger is left to workers with newer rules, in milliseconds. */
const unknownMs = 3000;

export interface DeliveryServices {
  readonly pool: pg.Pool;
  readonly rules: () => EventModel;
  readonly webhooks: WebhookServices;
  /** Aborts all calls. */
  readonly signal: AbortSignal;
}

/** Tries once to deliver the event of a job. Throws when the event cannot be loaded. */
export type TryDelivery = (job: HeldJob, event: LoadedEvent | undefined) => Promise<Outcome>;

/** Makes the function that delivers the event of a job. */
export function makeTryDelivery(services: DeliveryServices): TryDelivery {
  const { pool, rules, webhooks, signal } = services;
  const large = new ConcurrencyLimit(maxLarge);
  const send = async (job: HeldJob, trigger: EventTrigger, body: string, failures: number) => {
    const at = new Date();
    const timeoutMs = trigger.retry.timeout * 1000;
    const answer = await callWebhook(trigger, { body, timeoutMs, signal }, webhooks);
    const attempt = { at, answer };
    if (isAccepted(answer)) return { kind: 'taken', job, attempt } as const;
    if (failures >= trigger.retry.limit) {
      return { kind: 'dead', job, attempt, reason: lastReason(failures + 1, answer) } as const;
    }
    const afterMs = retryWaitMs(failures + 1, trigger.retry, answer.retryAfterMs);
    return { kind: 'again', job, attempt, afterMs } as const;
  };
  return async (job, event) => {
    if (!event || event.settled) return { kind: 'gone', job };
    if (event.paused) return { kind: 'paused', job };
    const { events, fingerprint } = rules();
    const trigger = events.get(event.trigger);
    if (!trigger) {
      // The trigger is unknown in this process. Another worker may know it from newer rules, so the event becomes dead
      // only if these rules are the newest.
      const isLatest = (await appliedFingerprint(pool)) === fingerprint;
      if (!isLatest) return { kind: 'again', job, afterMs: unknownMs };
      const reason = `the metadata has no event trigger "${event.trigger}" any more`;
      return { kind: 'dead', job, reason };
    }
    if (event.body !== undefined) return send(job, trigger, event.body, event.failures);
    return large.run(async () => {
      const body = await loadBody(pool, job.data, retryLimits(rules().events));
      if (body === undefined) return { kind: 'gone', job };
      return send(job, trigger, body, event.failures);
    });
  };
}

/** Returns the maximum number of retries of each trigger, by its name. */
export function retryLimits(
  triggers: ReadonlyMap<string, EventTrigger>,
): Readonly<Record<string, number>> {
  return Object.fromEntries([...triggers].map(([name, { retry }]) => [name, retry.limit]));
}

function lastReason(tries: number, { status, error }: Answer): string {
  const last = error ?? `the receiver answered ${status}`;
  return `${tries === 1 ? 'one try' : `${tries} tries`} failed, the last because: ${last}`;
}
