import { secret } from '../database.ts';
import type { Answer } from '../load/answer.ts';
import { Connection } from '../load/connection.ts';
import { requestOf } from '../load/target.ts';
import { type Caller, exchangeOf, judge, slowQuery } from './exchanges.ts';

/** A request that did not get the correct answer. */
export interface Failure {
  /** When the answer came, in milliseconds of `performance.now()`. */
  readonly at: number;
  readonly outcome: 'wrong' | 'failed';
  readonly text: string;
}

/** The answers that the callers have received so far. */
export interface Tally {
  correct: number;
  aborted: number;
  readonly failures: Failure[];
}

/** Every caller leaves before the answer once in so many turns. */
const ABORT_EVERY = 20;
const RETRY_MS = 50;

/** Sends requests of one caller on one connection, one after the other, until the signal is aborted. */
export async function keepCalling(
  caller: Caller,
  port: number,
  tally: Tally,
  signal: AbortSignal,
): Promise<void> {
  let connection = await Connection.open(port);
  for (let turn = 0; !signal.aborted; turn += 1) {
    if (turn % ABORT_EVERY === ABORT_EVERY - 1) {
      await leaveEarly(caller, port);
      tally.aborted += 1;
    }
    const exchange = exchangeOf(caller, turn);
    const { query, variables } = exchange;
    const fail = (outcome: Failure['outcome'], text: string) =>
      tally.failures.push({ at: performance.now(), outcome, text: `${query}: ${text}` });
    try {
      const { status, body }: Answer = await connection.exchange(
        requestOf(soakTarget(caller, port), JSON.stringify({ query, variables })),
      );
      const outcome = status === 200 ? judge(exchange, body.toString()) : 'failed';
      if (outcome === 'correct') tally.correct += 1;
      else fail(outcome, `status ${status}, ${body.toString('utf8', 0, 300)}`);
    } catch (error) {
      fail('failed', String(error));
      await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
      connection.close();
      connection = await Connection.open(port);
    }
  }
  connection.close();
}

/** Sends a slow query and closes the connection while it runs. */
async function leaveEarly(caller: Caller, port: number): Promise<void> {
  const connection = await Connection.open(port);
  const request = requestOf(soakTarget(caller, port), JSON.stringify({ query: slowQuery }));
  connection.exchange(request).catch(() => undefined);
  await new Promise((resolve) => setTimeout(resolve, 2));
  connection.close();
}

export function soakTarget({ role, tenant }: Caller, port: number) {
  const headers = {
    'content-type': 'application/json',
    'x-gql-admin-secret': secret,
    'x-gql-role': role,
    'x-gql-tenant-id': String(tenant),
  };
  return { port, path: '/v1/graphql', headers };
}
