import { type Action, headerOf, type VariableName } from '../../permissions/index.ts';

/** The caller of an action. */
export interface ActionCaller {
  readonly role: string;
  /** Session variables. A key is the name of the Postgres setting without its prefix `gql.`. */
  readonly variables: ReadonlyMap<VariableName, string>;
  /** Request headers by lower-case name. */
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
}

/** Returns the caller's role and session variables for handlers, by lower-case header name. */
export function sessionVariables(
  { role, variables }: Pick<ActionCaller, 'role' | 'variables'>,
  headerPrefix: string,
): Readonly<Record<string, string>> {
  const named = [...variables].map(([name, value]) => [headerOf(name, headerPrefix), value]);
  return Object.fromEntries([[`${headerPrefix.toLowerCase()}role`, role], ...named]);
}

/** Returns the request headers that the action forwards to its handler. */
export function forwardedHeaders(
  { forwardClientHeaders }: Action,
  { headers }: Pick<ActionCaller, 'headers'>,
): Readonly<Record<string, string>> {
  return Object.fromEntries(
    forwardClientHeaders.flatMap((name) => {
      const value = headers[name];
      if (value === undefined) return [];
      return [[name, typeof value === 'string' ? value : value.join(', ')]];
    }),
  );
}
