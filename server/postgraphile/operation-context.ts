import type { Caller } from '../context.ts';
import type { OperationClient } from './operation-client.ts';
import type { ServiceNames } from './user-preset.ts';

/** What plugins may know of an operation, under `rowgate` in Grafast's context. */
export interface RowgateContext {
  readonly role: string;
  /** Session variables by setting name after `gql.`. */
  readonly variables: Readonly<Record<string, string>>;
}

export interface OperationContextOptions {
  readonly service: ServiceNames;
  readonly client: OperationClient;
  readonly caller: Caller;
  /** Ends when the answer is not wanted any more. Plugins find it under `rowgateSignal`. */
  readonly signal: AbortSignal | undefined;
}

/** Grafast's context of one operation: the caller, and the one way to the database. */
export function operationContext({ service, client, caller, signal }: OperationContextOptions) {
  const rowgate: RowgateContext = Object.freeze({
    role: caller.role.name,
    variables: Object.freeze(Object.fromEntries(caller.variables)),
  });
  return {
    [service.pgSettingsKey]: client.pgSettings,
    [service.withPgClientKey]: client.withPgClient,
    rowgate,
    rowgateSignal: signal,
  };
}
