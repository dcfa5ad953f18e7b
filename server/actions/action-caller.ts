import type { Action } from '../../permissions/index.ts';
import type { Caller } from '../caller/authenticate.ts';

/** The caller of an action. */
export interface ActionCaller extends Pick<Caller, 'variables' | 'session'> {
  readonly role: string;
  /** Request headers by lower-case name. */
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
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
