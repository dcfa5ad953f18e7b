import { createHash } from 'node:crypto';
import { Refusal } from '../../../../http/answers/problem.ts';
import type { Inbox, StoredCallback } from '../inbox.ts';
import type { CallbackProvider } from '../providers/callback-provider.ts';
import { makeEventCheck } from './check-event.ts';
import { JsonProblem, parseStrictJson, type StrictJson } from './strict-json.ts';

/**
 * Stores an authenticated callback.
 * @throws Refusal 400 for an invalid body, after the body was stored for inspection
 */
export type CallbackIntake = (body: Buffer) => Promise<Answer>;

/** The answer to the sender. */
export interface Answer extends StoredCallback {
  /** The number of records in a list. */
  readonly events?: number;
  /** The number of invalid records in a list, which are stored for inspection. */
  readonly malformed?: number;
}

/**
 * The maximum number of events in a list. Even a body of the maximum size contains fewer real events, and Postgres
 * stores this many quickly.
 */
const maxEvents = 5000;

/** Makes the intake for a provider that sends one event at a time. */
export function makeEventIntake(provider: CallbackProvider, inbox: Inbox): CallbackIntake {
  const problemOf = makeEventCheck(provider);
  return async (body) => {
    const event = read(body);
    if (typeof event === 'string') return storeMalformed(provider, inbox, body, event);
    const problem = problemOf(event);
    if (problem !== undefined) return storeMalformed(provider, inbox, body, problem);
    const key = provider.keyOf(event.value) ?? digestOf(body);
    const stored = await inbox.store({ provider: provider.name, key, body, problem: undefined });
    return { id: stored.id, duplicate: stored.duplicate };
  };
}

/** Makes the intake for a provider that may also send a list of events. */
export function makeEventListIntake(provider: CallbackProvider, inbox: Inbox): CallbackIntake {
  const problemOf = makeEventCheck(provider);
  const takeOne = makeEventIntake(provider, inbox);
  return async (body) => {
    const events = read(body);
    if (typeof events === 'string' || !Array.isArray(events.value) || events.value.length === 0) {
      return takeOne(body);
    }
    if (events.value.length > maxEvents) {
      const problem = `the list has more than ${maxEvents} events; send them in several`;
      return storeMalformed(provider, inbox, body, problem);
    }
    const exact = events.exact as readonly unknown[];
    const logs = events.value.map((value: unknown, index) => {
      const problem = problemOf({ value, exact: exact[index] });
      return { key: problem === undefined ? provider.keyOf(value) : undefined, problem };
    });
    const taken = await inbox.storeLogs(body, logs);
    const problems = logs.flatMap(({ problem }) => problem ?? []);
    const [first] = taken;
    // A list with some valid records is accepted, so that invalid records do not block the valid ones.
    if (!first || problems.length === logs.length) throw malformed(problems[0] ?? 'it is empty');
    return {
      id: first.id,
      duplicate: taken.every(({ duplicate }) => duplicate),
      events: logs.length,
      malformed: problems.length,
    };
  };
}

/**
 * Stores an invalid body for inspection.
 * @throws Refusal 400, always, after storing
 */
async function storeMalformed(
  { name }: CallbackProvider,
  inbox: Inbox,
  body: Buffer,
  problem: string,
): Promise<never> {
  await inbox.store({ provider: name, key: digestOf(body), body, problem });
  throw malformed(problem);
}

function digestOf(body: Buffer): string {
  return createHash('sha256').update(body).digest('hex');
}

/** Returns the parsed body, or the problem as a text. */
function read(body: Buffer): StrictJson | string {
  try {
    return parseStrictJson(body);
  } catch (error) {
    if (error instanceof JsonProblem) return error.message;
    throw error;
  }
}

function malformed(detail: string): Refusal {
  return new Refusal({ status: 400, code: 'bad-request', detail });
}
