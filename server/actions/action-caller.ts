import { type Action, headerOf, type VariableName } from '../../permissions/index.ts';

/** The sender of a request, as actions know it. */
export interface ActionCaller {
  readonly role: string;
  /** Values by setting name after `gql.`. */
  readonly variables: ReadonlyMap<VariableName, string>;
  /** The headers of the request, in lower case. */
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
}

/** The role and the session variables of a caller for handlers, by their headers in lower case. */
export function sessionVariables(
  { role, variables }: Pick<ActionCaller, 'role' | 'variables'>,
  headerPrefix: string,
): Readonly<Record<string, string>> {
  const named = [...variables].map(([name, value]) => [headerOf(name, headerPrefix), value]);
  return Object.fromEntries([[`${headerPrefix.toLowerCase()}role`, role], ...named]);
}

/** The headers of a client that an action's handler gets too. */
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
