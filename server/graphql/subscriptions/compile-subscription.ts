import { type Caller, identify } from '../../caller/authenticate.ts';
import type { CallerRequest } from '../../caller/caller-request.ts';
import { shareOf } from '../../caller/caller-share.ts';
import type { Share } from '../../db/requests/fairness/fair-shares.ts';
import type { Dialect } from '../handle-request.ts';
import type { LiveOperation } from '../request/live-operation.ts';
import type { RunnableOperation } from '../request/operation.ts';
import type { RequestCaller } from '../request/request-caller.ts';
import type { RoleEngine } from '../request/role-engine.ts';
import { RequestError } from '../request-error.ts';

/** A subscription that was compiled for a caller by one version of the rules. */
export interface CompiledSubscription {
  readonly operation: LiveOperation;
  readonly request: RunnableOperation;
  readonly requestCaller: RequestCaller;
  readonly share: Share;
  /** The version of the rules. */
  readonly dialect: Dialect;
}

/** The parties of a subscription, without the engine that compiles it. */
type Uncompiled = Omit<CompiledSubscription, 'operation'>;

/** Checks and compiles a subscription. @throws RequestError, CallerError */
export async function compileSubscription(
  engine: RoleEngine,
  { request, requestCaller, share, dialect }: Uncompiled,
): Promise<CompiledSubscription> {
  if (!engine.subscribe) throw noSubscriptions();
  const operation = engine.subscribe(request, requestCaller, share);
  return { operation, request, requestCaller, share, dialect };
}

/** Identifies the caller of a connection now. @throws CallerError */
export async function identifyAgain(http: CallerRequest, dialect: Dialect): Promise<RequestCaller> {
  const caller: Caller = await identify(dialect.authenticators, http, dialect.model);
  return { caller, address: http.ip, headers: http.headers };
}

/** Compiles the request of a subscription again, by the current rules. @throws RequestError, CallerError */
export async function compileAgain(
  { request }: CompiledSubscription,
  requestCaller: RequestCaller,
  dialect: Dialect,
): Promise<CompiledSubscription> {
  const { caller, address: ip } = requestCaller;
  const engine = await dialect.engineOf(caller);
  const share = shareOf(caller, { ip });
  const compile = () => compileSubscription(engine, { request, requestCaller, share, dialect });
  return dialect.turns.run(share, compile);
}

function noSubscriptions(): RequestError {
  return new RequestError('not-supported', 'subscriptions are not served here');
}
