import {
  type Answer,
  type Dialect,
  failedAnswer,
  findOperation,
  type IncomingRequest,
  readRequest,
  runInTurn,
  runOnce,
} from '../handle-request.ts';
import { type CompiledSubscription, compileSubscription } from './compile-subscription.ts';

/**
 * Handles a request with one operation for a transport that can send several answers. Returns the answer, or a
 * subscription that the transport opens.
 * @throws CallerError, Refusal and RequestError when the caller cannot be identified, or the request holds no operation
 */
export async function startOperation(
  incoming: IncomingRequest,
  dialect: Dialect,
): Promise<Answer | CompiledSubscription> {
  const { requestCaller, received } = await readRequest(incoming, dialect);
  const measurement = dialect.metrics.begin(requestCaller.caller.role.name);
  try {
    const [given = null] = received.operations;
    const found = await findOperation(given, { requestCaller, received, measurement }, dialect);
    const started = await runInTurn(found, dialect, async () => {
      const { engine, request, share } = found;
      if (engine.check(request) === 'subscription')
        return await compileSubscription(engine, { request, requestCaller, share, dialect });
      return { text: await runOnce(incoming, found), error: undefined };
    });
    measurement.end();
    return started;
  } catch (cause) {
    return failedAnswer(cause, dialect, measurement);
  }
}

/** Returns true for a subscription, and false for an answer. */
export function isSubscription(
  started: Answer | CompiledSubscription,
): started is CompiledSubscription {
  return 'operation' in started;
}
