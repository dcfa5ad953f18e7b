import type { Json } from '../graphql/json.ts';

/** An action that failed, as it is reported to the client. */
export class ActionError extends Error {
  readonly extensions: { readonly [key: string]: Json };

  constructor(message: string, extensions: ActionError['extensions']) {
    super(message);
    this.name = 'ActionError';
    this.extensions = extensions;
  }
}

/** A failure that is no fault of the client's; the log says why. */
export function handlerFailed(action: string): ActionError {
  return new ActionError(`the handler of the action "${action}" failed`, {
    code: 'unexpected',
    path: '$',
  });
}

/** The error as GraphQL lists it. */
export function errorEntry({ message, extensions }: ActionError): Json {
  return { message, extensions };
}
