import { createHash } from 'node:crypto';
import { Refusal } from '../../../http/problem.ts';
import type { CallbackProvider } from './callback-provider.ts';
import { makeEventCheck } from './check-event.ts';
import type { Inbox, TakenIn } from './inbox.ts';
import { JsonProblem, parseStrictJson, type StrictJson } from './strict-json.ts';

/** Takes in a body of which it is known that the provider sent it. @throws Refusal 400, once the body is kept */
export type TakeCallback = (body: Buffer) => Promise<Answer>;

/** What the sender is told. */
export interface Answer extends TakenIn {
  /** Of a list: how many logs it had. */
  readonly events?: number;
  /** Of a list: how many of them could not be used, and were kept for inspection. */
  readonly malformed?: number;
}

/** Most events of one list: more than a body of real ones holds, and as many as are stored in a moment. */
const mostEvents = 5000;

/** For providers who send one event at a time. */
export function takingOne(provider: CallbackProvider, inbox: Inbox): TakeCallback {
  const problemOf = makeEventCheck(provider);
  return async (body) => {
    const event = read(body);
    if (typeof event === 'string') return keepMalformed(provider, inbox, body, event);
    const problem = problemOf(event);
    if (problem !== undefined) return keepMalformed(provider, inbox, body, problem);
    const key = provider.keyOf(event.value) ?? digestOf(body);
    const stored = await inbox.takeIn({ provider: provider.name, key, body, problem: undefined });
    return { id: stored.id, duplicate: stored.duplicate };
  };
}

/** For a provider who may also send a list of events. */
export function takingMany(provider: CallbackProvider, inbox: Inbox): TakeCallback {
  const problemOf = makeEventCheck(provider);
  const takeOne = takingOne(provider, inbox);
  return async (body) => {
    const events = read(body);
    if (typeof events === 'string' || !Array.isArray(events.value) || events.value.length === 0) {
      return takeOne(body);
    }
    if (events.value.length > mostEvents) {
      const problem = `the list has more than ${mostEvents} events; send them in several`;
      return keepMalformed(provider, inbox, body, problem);
    }
    const exact = events.exact as readonly unknown[];
    const logs = events.value.map((value: unknown, index) => {
      const problem = problemOf({ value, exact: exact[index] });
      return { key: problem === undefined ? provider.keyOf(value) : undefined, problem };
    });
    const taken = await inbox.takeInLogs(body, logs);
    const problems = logs.flatMap(({ problem }) => problem ?? []);
    const [first] = taken;
    // A part that can be used is not held up by one that never will be.
    if (!first || problems.length === logs.length) throw malformed(problems[0] ?? 'it is empty');
    return {
      id: first.id,
      duplicate: taken.every(({ duplicate }) => duplicate),
      events: logs.length,
      malformed: problems.length,
    };
  };
}

/** @throws Refusal 400, always, once it is kept */
async function keepMalformed(
  { name }: CallbackProvider,
  inbox: Inbox,
  body: Buffer,
  problem: string,
): Promise<never> {
  await inbox.takeIn({ provider: name, key: digestOf(body), body, problem });
  throw malformed(problem);
}

function digestOf(body: Buffer): string {
  return createHash('sha256').update(body).digest('hex');
}

/** What the body says, or why it says nothing. */
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
