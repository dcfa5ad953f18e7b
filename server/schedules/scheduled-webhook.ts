import { createHash } from 'node:crypto';
import type { Schedule } from '../../permissions/index.ts';
import { callWebhook } from '../delivery/call-webhook.ts';
import { isAccepted } from '../delivery/deliver.ts';
import type { WebhookServices } from '../delivery/resolve-webhook.ts';
import type { JobOutcome } from './job.ts';

/** Maximum characters of an answer in the history. */
const maxAnswerLength = 500;

export interface ScheduledCall {
  readonly name: string;
  readonly webhook: string;
  readonly payload: unknown;
  readonly timeoutMs: number;
  readonly scheduledFor: Date;
}

/** Calls the webhook of a schedule with the body of Hasura's scheduled triggers. Never throws. */
export async function callScheduledWebhook(
  call: ScheduledCall,
  services: WebhookServices,
): Promise<JobOutcome> {
  const { webhook, timeoutMs } = call;
  const body = JSON.stringify(bodyOf(call, new Date()));
  const answer = await callWebhook({ webhook }, { body, timeoutMs }, services);
  const { status, durationMs, error, excerpt } = answer;
  const shortened = excerpt.slice(0, maxAnswerLength);
  if (isAccepted(answer)) return { ok: true, detail: { status, durationMs, answer: shortened } };
  const why = error ?? `the webhook answered ${status}`;
  return { ok: false, detail: { error: why, status, durationMs, answer: shortened } };
}

/** Makes the call of a schedule's webhook for one due time. */
export function scheduledCall(
  { name, retry }: Schedule,
  run: { readonly webhook: string; readonly payload: unknown },
  scheduledFor: Date,
): ScheduledCall {
  const { webhook, payload } = run;
  return { name, webhook, payload, timeoutMs: retry.timeout * 1000, scheduledFor };
}

function bodyOf({ name, payload, scheduledFor }: ScheduledCall, now: Date): unknown {
  const scheduledTime = scheduledFor.toISOString();
  return {
    id: eventId(name, scheduledTime),
    name,
    scheduled_time: scheduledTime,
    payload: payload ?? null,
    comment: null,
    created_at: now.toISOString(),
  };
}

/** Returns the same UUID (version 8 of RFC 9562) for each attempt, so that the receiver can recognize a repetition. */
function eventId(name: string, scheduledTime: string): string {
  const hex = createHash('sha256').update(`${name}\n${scheduledTime}`).digest('hex');
  const variant = ((Number.parseInt(hex.charAt(16), 16) & 0x3) | 0x8).toString(16);
  return [
    hex.slice(0, 8),
    hex.slice(8, 12),
    `8${hex.slice(13, 16)}`,
    `${variant}${hex.slice(17, 20)}`,
    hex.slice(20, 32),
  ].join('-');
}
