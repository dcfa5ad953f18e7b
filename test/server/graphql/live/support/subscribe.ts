import { type AnswerText, decodeAnswer } from '../../../../../server/graphql/answer-text.ts';
import type {
  LiveOperation,
  LiveQuery,
  LiveStream,
} from '../../../../../server/graphql/request/live-operation.ts';
import type { Ask, Gateway } from '../../support/gateway.ts';

/** Compiles a subscription for a role. @throws RequestError, CallerError */
export async function subscribe(
  { service }: Gateway,
  query: string,
  { role = 'admin', variables = {}, with: given }: Ask = {},
): Promise<LiveOperation> {
  const { model, engineOf } = service.dialect();
  const found = model.roles.get(role);
  if (!found) throw new Error(`there is no role ${role}`);
  const session = Object.entries(variables).map(
    ([name, value]) => [name.toLowerCase().replaceAll('-', '_'), value] as const,
  );
  const caller = { role: found, variables: new Map(session), isBackend: false };
  const engine = await engineOf(caller);
  const request = {
    ...{ query, operationName: undefined, variables: given as never, bytes: undefined },
    ...{ signal: new AbortController().signal, whenSent: undefined },
  };
  const share = { role, caller: role, weight: 1 };
  const operation = engine.subscribe?.(request, { caller, address: '127.0.0.1' }, share);
  if (!operation) throw new Error('the engine has no subscriptions');
  return operation;
}

export async function liveQuery(...given: Parameters<typeof subscribe>): Promise<LiveQuery> {
  const operation = await subscribe(...given);
  if (operation.kind !== 'query') throw new Error('the subscription is a stream');
  return operation;
}

export async function liveStream(...given: Parameters<typeof subscribe>): Promise<LiveStream> {
  const operation = await subscribe(...given);
  if (operation.kind !== 'stream') throw new Error('the subscription is no stream');
  return operation;
}

export function parsed(text: AnswerText): unknown {
  return JSON.parse(decodeAnswer(text));
}

/** Fetches the answer of a live query. */
export async function fetched(query: LiveQuery): Promise<unknown> {
  return parsed(await query.fetch(new AbortController().signal));
}

/** Returns the first message of a live query or a stream. */
export async function firstAnswer(...given: Parameters<typeof subscribe>): Promise<unknown> {
  const operation = await subscribe(...given);
  const { signal } = new AbortController();
  if (operation.kind === 'query') return parsed(await operation.fetch(signal));
  return parsed((await operation.page(undefined, signal)).text);
}
