import type { Logger } from 'pino';
import type { Registry } from 'prom-client';
import type { Caller } from '../../caller/authenticate.ts';
import type { CallerRequest } from '../../caller/caller-request.ts';
import type { SubscriptionConfig } from '../../config/subscription-config.ts';
import { FairShares } from '../../db/requests/fairness/fair-shares.ts';
import { releaseMemory } from '../../release-memory.ts';
import { toClientError } from '../errors/to-client-error.ts';
import type { Dialect } from '../handle-request.ts';
import { sessionKey } from '../request/request-caller.ts';
import { RequestError } from '../request-error.ts';
import type { ChangeSource, Changes } from './changes/changes.ts';
import { Cohorts } from './cohorts/cohorts.ts';
import { type CompiledSubscription, compileAgain, identifyAgain } from './compile-subscription.ts';
import { OpenSubscription } from './open-subscription.ts';
import type { Receiver } from './receiver.ts';
import { RefetchQueue } from './refetch-queue.ts';
import { Streams } from './streams/streams.ts';
import { makeSubscriptionMetrics, type SubscriptionMetrics } from './subscription-metrics.ts';
import { isTemporary } from './temporary.ts';

export interface SubscriptionsOptions {
  readonly config: SubscriptionConfig;
  readonly source: ChangeSource;
  /** Returns the dialect that is served currently. */
  readonly dialect: () => Dialect;
  /** The registry for metrics; absent: the metrics are not published. */
  readonly registry: Registry | undefined;
  readonly logger: Logger;
}

/** A connection of a client, which can have several subscriptions. */
export interface ClientConnection {
  /** Returns the request that identifies the caller now. */
  request(): Promise<CallerRequest>;
  /** @throws CallerError when this caller may not use the connection */
  accept(caller: Caller): void;
  /** Ends the connection, because its caller has no access any more. */
  refuse(error: unknown): void;
  /** Ends the connection in the way that makes the client connect again, to another server. */
  drain(): void;
}

/** The subscriptions of one connection. */
interface Session {
  readonly connection: ClientConnection;
  readonly open: Set<OpenSubscription>;
  checkAt: number;
  /** The number of checks in a row that could not be made. */
  failures: number;
  state: 'idle' | 'checking' | 'checking, and again';
}

/** The time between two looks for sessions whose check is due, at most. */
const lookMs = 1000;
/** After this number of checks in a row that could not be made, the connection ends. */
const maxFailedChecks = 3;
/** Maximum sessions that are checked at a time after a reload. */
const concurrentChecks = 16;
/** Fetches that are sent for each connection, so that none of the connections waits for this process. */
const fetchesPerConnection = 2;

/** A subscription counts as one more for each of these bytes of its request, which stays in memory while it is open. */
const requestBytes = 16 * 1024;

/** After this number of new subscriptions V8 holds far more memory for new objects than idle subscribers need. */
const manyNew = 1000;

/** All subscriptions of this process, from every transport. */
export class Subscriptions {
  readonly #options: SubscriptionsOptions;
  readonly #metrics: SubscriptionMetrics;
  readonly #queue: RefetchQueue;
  readonly #cohorts: Cohorts;
  readonly #streams = new Streams();
  readonly #shares: FairShares;
  readonly #sessions = new Map<ClientConnection, Session>();
  readonly #looking: NodeJS.Timeout;
  #unlisten: (() => void) | undefined;
  /** The number of open subscriptions whose tables are reported. */
  #listening = 0;
  #isDraining = false;
  /** The number of subscriptions that were opened since memory was released, now and at the last look. */
  #opened = { now: 0, atLook: 0 };

  constructor(options: SubscriptionsOptions) {
    const { config, registry } = options;
    this.#options = options;
    this.#metrics = makeSubscriptionMetrics(registry);
    this.#shares = new FairShares(config.max);
    this.#queue = new RefetchQueue({
      concurrent: config.poolSize * fetchesPerConnection,
      perSecond: config.refetchesPerSecond,
    });
    this.#cohorts = new Cohorts({ config, queue: this.#queue, metrics: this.#metrics });
    this.#looking = setInterval(() => this.#look(), Math.min(lookMs, config.recheckMs / 5)).unref();
  }

  /**
   * Opens a subscription. Returns a function that closes it without a message to the client.
   * @throws RequestError above a limit
   */
  open(
    connection: ClientConnection,
    compiled: CompiledSubscription,
    receiver: Receiver,
  ): () => void {
    this.#refuseAboveLimit(compiled);
    const { share } = compiled;
    const fail = (error: unknown) => {
      if (one.isClosed) return;
      close();
      receiver.end(toClientError(error, this.#options.logger));
    };
    const parts = { cohorts: this.#cohorts, streams: this.#streams, queue: this.#queue };
    const one = new OpenSubscription({
      ...{ compiled, receiver, fail, ...parts, metrics: this.#metrics },
    });
    one.begin();
    // Only after a limit may have refused the subscription, so that no session stays that nothing ends.
    const session = this.#sessionOf(connection);
    const { kind } = one;
    const isReported = compiled.operation.dependencies.tables.length > 0 || kind === 'stream';
    const size = sizeOf(compiled);
    this.#shares.takeAnyway(share, size);
    this.#metrics.open.inc({ kind });
    this.#opened.now++;
    session.open.add(one);
    if (isReported) this.#listen();
    const close = () => {
      if (one.isClosed) return;
      one.close();
      this.#shares.giveBack(share, size);
      this.#metrics.open.dec({ kind });
      session.open.delete(one);
      if (isReported) this.#unlistenUnused();
      if (session.open.size === 0) this.#sessions.delete(connection);
    };
    // The rules were replaced while the operation was compiled.
    if (compiled.dialect !== this.#options.dialect()) void this.#check(session);
    return close;
  }

  /**
   * Identifies the callers of all connections again, because the rules were replaced, or sessions or rights may have
   * ended. Compiles subscriptions again after a change of the rules, the role or the variables. Those that are no longer
   * allowed end with the error.
   * @param person checks only the connections of this person; absent: all
   */
  async recheck(person?: string): Promise<void> {
    const sessions = [...this.#sessions.values()]
      .filter((session) => person === undefined || isOf(session, person))
      .values();
    const checkRest = async () => {
      // The workers share the iterator, so each session is checked once.
      for (const session of sessions) await this.#check(session);
    };
    await Promise.all(Array.from({ length: concurrentChecks }, checkRest));
  }

  /** Opens no more subscriptions, and ends all connections that have one. */
  drain(): void {
    this.#isDraining = true;
    for (const { connection } of [...this.#sessions.values()]) connection.drain();
  }

  async close(): Promise<void> {
    clearInterval(this.#looking);
    this.#cohorts.close();
    this.#queue.close();
    this.#unlisten?.();
    await this.#options.source.close();
  }

  #refuseAboveLimit(compiled: CompiledSubscription): void {
    const { share } = compiled;
    const size = sizeOf(compiled);
    const { max, maxPerCaller } = this.#options.config;
    if (this.#isDraining) throw new RequestError('unavailable', 'the server stops; try again');
    if (max === 0) throw new RequestError('not-supported', 'this server has no subscriptions');
    if (this.#shares.held(share).byCaller + size > maxPerCaller)
      throw tooMany(
        `you may have ${maxPerCaller} subscriptions, and a large request counts as several`,
      );
    if (!this.#shares.mayTake(share, size))
      throw tooMany('the server has as many subscriptions as it may for your role');
  }

  #sessionOf(connection: ClientConnection): Session {
    const known = this.#sessions.get(connection);
    if (known) return known;
    const session: Session = {
      ...{ connection, open: new Set(), failures: 0, state: 'idle' },
      checkAt: this.#nextCheck(),
    };
    this.#sessions.set(connection, session);
    return session;
  }

  #nextCheck(): number {
    return performance.now() + this.#options.config.recheckMs * (0.75 + 0.25 * Math.random());
  }

  #listen(): void {
    this.#listening += 1;
    this.#unlisten ??= this.#options.source.listen((changes) => this.#onChanges(changes));
  }

  #unlistenUnused(): void {
    this.#listening -= 1;
    if (this.#listening > 0) return;
    this.#unlisten?.();
    this.#unlisten = undefined;
    this.#streams.onSilence();
  }

  #onChanges(changes: Changes): void {
    this.#cohorts.onChanges(changes);
    this.#streams.onChanges(changes);
  }

  #look(): void {
    this.#checkDue();
    const { now, atLook } = this.#opened;
    const isRelease = now >= manyNew && now === atLook;
    if (isRelease) releaseMemory();
    this.#opened = isRelease ? { now: 0, atLook: 0 } : { now, atLook: now };
  }

  #checkDue(): void {
    const now = performance.now();
    for (const session of this.#sessions.values()) {
      if (session.checkAt <= now) void this.#check(session);
    }
  }

  async #check(session: Session): Promise<void> {
    if (session.state !== 'idle') {
      session.state = 'checking, and again';
      return;
    }
    do {
      session.state = 'checking';
      await this.#checkOnce(session);
    } while (this.#isWantedAgain(session));
    session.state = 'idle';
    session.checkAt = this.#nextCheck();
  }

  #isWantedAgain({ state, open }: Session): boolean {
    return state === 'checking, and again' && open.size > 0;
  }

  async #checkOnce(session: Session): Promise<void> {
    const { connection } = session;
    const dialect = this.#options.dialect();
    try {
      const requestCaller = await identifyAgain(await connection.request(), dialect);
      connection.accept(requestCaller.caller);
      session.failures = 0;
      const key = sessionKey(requestCaller);
      for (const one of [...session.open]) {
        const isSame = sessionKey(one.compiled.requestCaller) === key;
        if (isSame && one.compiled.dialect === dialect) continue;
        const compile = () => compileAgain(one.compiled, requestCaller, dialect);
        await this.#replace(one, compile, isSame);
      }
    } catch (error) {
      session.failures = isTemporary(error) ? session.failures + 1 : maxFailedChecks;
      if (session.failures >= maxFailedChecks && session.open.size > 0) connection.refuse(error);
    }
  }

  /** @param isSame whether role and session variables are the same as before */
  async #replace(
    one: OpenSubscription,
    compile: () => Promise<CompiledSubscription>,
    isSame: boolean,
  ): Promise<void> {
    try {
      one.replace(await compile());
    } catch (error) {
      // The next check tries again, because the subscription still has the old rules. It does not continue under a role
      // or with variables that its caller no longer has.
      if (!isSame || !isTemporary(error)) one.fail(error);
    }
  }
}

function isOf({ open }: Session, person: string): boolean {
  const [first] = open;
  return first?.compiled.requestCaller.caller.person === person;
}

function sizeOf({ request: { bytes = 0 } }: CompiledSubscription): number {
  return 1 + Math.floor(bytes / requestBytes);
}

function tooMany(problem: string): RequestError {
  return new RequestError(
    'subscription-limit-exceeded',
    `${problem}; close one, or try again later`,
  );
}
