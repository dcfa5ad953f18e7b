import type { ActionCaller } from './action-caller.ts';

/** What actions need of an operation that Grafast executes. */
export interface ActionContext {
  readonly caller: ActionCaller;
  /** The document of the client. */
  readonly query: string;
  /** Ends when the outcome is not wanted any more. */
  readonly wanted: AbortSignal | undefined;
}

/** Where a Grafast context holds it: headers of clients are not for plugins to come across. */
export const actionContext: unique symbol = Symbol('rowgate actions');

declare global {
  namespace Grafast {
    interface Context {
      readonly [actionContext]?: ActionContext;
    }
  }
}

/** @throws Error where the operation was not begun by a gateway */
export function actionContextOf(context: Grafast.Context): ActionContext {
  const found = context[actionContext];
  if (found) return found;
  throw new Error('the operation does not say who calls actions');
}
