import type { Json } from '../graphql/json.ts';

/** A failure of an action, reported to the client. */
export class ActionError extends Error {
  readonly extensions: { readonly [key: string]: Json };

  constructor(message: string, extensions: ActionError['extensions']) {
    super(message);
    this.name = 'ActionError';
    this.extensions = extensions;
  }
}

/** Makes the error for a failure of the handler. Only the log contains the reason. */
export function handlerFailed(action: string): ActionError {
  return new ActionError(`the handler of the action "${action}" failed`, {
    code: 'unexpected',
    path: '$',
  });
}

/** Returns the entry for the error in GraphQL's list of errors. */
export function errorEntry({ message, extensions }: ActionError): Json {
  return { message, extensions };
}
