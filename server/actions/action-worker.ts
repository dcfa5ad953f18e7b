import { setMaxListeners } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import type pg from 'pg';
import type pino from 'pino';
import type { Action, Model } from '../../permissions/index.ts';
import { listenForNotices, type NoticeListener } from '../db/notices/notice-listener.ts';
import { appliedFingerprint } from '../db/preparation.ts';
import type { WebhookServices } from '../delivery/resolve-webhook.ts';
import { WakeSignal } from '../events/wake-signal.ts';
import { FairShare } from '../events/worker/fair-share.ts';
import { retryWaitMs } from '../events/worker/retry-wait.ts';
import { loggedReason } from '../log/log-error.ts';
import { ActionError, errorEntry, handlerFailed } from './action-error.ts';
import { logFailure, readInput } from './action-runner.ts';
import { callHandler, type HandlerOutcome } from './call-handler.ts';
import {
  deleteRequests,
  endRequest,
  requestedChannel,
  retryRequest,
  type TakenRequest,
  takeRequests,
} from './request-store.ts';

/**
 * Pause before a worker retries a call of an action that it does not know. A worker with newer rules may take the call
 * meanwhile.
 */
const unknownMs = 3000;
/** Interval between deletions of old calls. */
const upkeepMs = 3_600_000;
/** Minimum polling interval when no action is asynchronous. */
const idleMs = 10_000;
/** Maximum time for running calls to finish after `close`, in milliseconds. */
const stopMs = 15_000;

/** The parts of the model that workers need, all of one version. */
export type ActionRules = Pick<Model, 'actions' | 'customTypes' | 'fingerprint'>;

export interface ActionWorkerOptions {
  /** Connections of the sidecar login, with which the server accesses everything except the data API. */
  readonly pool: pg.Pool;
  /** URL of the sidecar login for LISTEN, which must bypass a pooler. */
  readonly listenUrl: string;
  /** Returns the rules that this process has now. A reload of the metadata replaces them. */
  readonly rules: () => ActionRules;
  readonly webhooks: WebhookServices;
  readonly logger: pino.Logger;
  /** Maximum number of concurrent calls. One action gets at most about half of the free calls. */
  readonly concurrency: number;
  /** Days after which ended calls are deleted. */
  readonly retentionDays: number;
  /** Polling interval without notices, in milliseconds; default 1000. */
  readonly pollMs?: number;
}

/** Calls the handlers of asynchronous actions until it is closed. */
export class ActionWorker {
  readonly #options: ActionWorkerOptions;
  readonly #wakeSignal = new WakeSignal();
  readonly #share: FairShare;
  readonly #running = new Set<Promise<void>>();
  readonly #stop = new AbortController();
  readonly #listener: NoticeListener;
  readonly #finished: Promise<unknown>;
  #stopped = false;
  #nextUpkeep = 0;

  constructor(options: ActionWorkerOptions) {
    this.#options = options;
    this.#share = new FairShare(options.concurrency);
    // Each running call adds a listener to the signal. Node would warn of a leak at more than ten.
    setMaxListeners(0, this.#stop.signal);
    const { listenUrl, logger } = options;
    this.#listener = listenForNotices({
      channels: [requestedChannel],
      subject: 'actions',
      url: async () => listenUrl,
      onNotice: () => this.#wakeSignal.notify(),
      onListening: async () => this.#wakeSignal.notify(),
      logger,
    });
    this.#finished = this.#run();
  }

  /** Waits for running calls up to a limit. Other workers take the calls that did not finish. */
  async close(): Promise<void> {
    this.#stopped = true;
    this.#wakeSignal.notify();
    await this.#listener.close();
    await this.#finished;
    const late = setTimeout(() => this.#stop.abort(), stopMs);
    await Promise.all(this.#running);
    clearTimeout(late);
  }

  async #run(): Promise<void> {
    const { logger, pollMs = 1000 } = this.#options;
    while (!this.#stopped) {
      try {
        await this.#deleteOld();
        if (!(await this.#take())) await this.#wakeSignal.wait(this.#pause(pollMs));
      } catch (error) {
        logger.warn({ reason: loggedReason(error) }, 'cannot work on actions; trying again');
        await delay(pollMs);
      }
    }
  }

  /** Returns the polling interval. When no action is asynchronous, notices suffice, so polling is rare. */
  #pause(pollMs: number): number {
    const { actions } = this.#options.rules();
    const isAny = [...actions.values()].some(({ isAsynchronous }) => isAsynchronous);
    return isAny ? pollMs : Math.max(pollMs, idleMs);
  }

  async #deleteOld(): Promise<void> {
    if (Date.now() < this.#nextUpkeep) return;
    const { pool, retentionDays, logger } = this.#options;
    const deleted = await deleteRequests(pool, retentionDays);
    if (deleted > 0) logger.debug({ deleted }, 'deleted calls of actions');
    this.#nextUpkeep = Date.now() + upkeepMs;
  }

  /** Takes due calls and starts them. Returns whether more calls may be due. */
  async #take(): Promise<boolean> {
    const { pool, logger } = this.#options;
    const room = this.#share.room();
    if (room <= 0) return false;
    const taken = await takeRequests(pool, room, this.#share.saturated());
    for (const request of taken) {
      this.#share.take(request.action);
      const work = this.#work(request)
        .catch((error: unknown) => {
          const fields = { reason: loggedReason(error), request: request.id };
          logger.warn(fields, 'the call of an action is left to another try');
        })
        .finally(() => {
          this.#running.delete(work);
          this.#share.give(request.action);
          this.#wakeSignal.notify();
        });
      this.#running.add(work);
    }
    return taken.length === room;
  }

  async #work(request: TakenRequest): Promise<void> {
    const { pool, rules, webhooks } = this.#options;
    const { actions, customTypes: types } = rules();
    const action = actions.get(request.action);
    if (!action?.isAsynchronous) return this.#giveUpUnknown(request);
    // A worker died during the last allowed try, before it could end the call. So the call is ended now.
    if (request.tries - 1 > action.retry.limit) {
      return this.#end(request, handlerFailed(action.name));
    }
    const body = {
      id: request.id,
      created_at: request.created_at,
      action: { name: action.name },
      input: readInput(request.input),
      session_variables: request.session_variables,
    };
    const { client_headers: headers } = request;
    const called = { action, body, headers, stop: this.#stop.signal };
    const outcome = await callHandler(called, { webhooks, types });
    if (outcome.kind === 'value') return endRequest(pool, request, { output: outcome.value });
    return this.#endOrRetry(request, action, outcome);
  }

  async #endOrRetry(
    request: TakenRequest,
    action: Action,
    outcome: Exclude<HandlerOutcome, { kind: 'value' }>,
  ): Promise<void> {
    const { pool, logger } = this.#options;
    if (outcome.kind === 'failed' && this.#stop.signal.aborted) {
      return retryRequest(pool, request, { afterMs: 0, counts: false });
    }
    if (outcome.kind !== 'refused') logFailure(logger, action, outcome.reason);
    if (outcome.kind !== 'failed') return this.#end(request, outcome.error);
    const { tries } = request;
    if (tries > action.retry.limit) return this.#end(request, handlerFailed(action.name));
    const afterMs = retryWaitMs(tries, action.retry, outcome.retryAfterMs);
    return retryRequest(pool, request, { afterMs, counts: true });
  }

  #end(request: TakenRequest, error: ActionError): Promise<void> {
    return endRequest(this.#options.pool, request, { errors: [errorEntry(error)] });
  }

  /**
   * Ends a call whose action does not exist. When newer rules than those of this worker were applied, postpones the
   * call instead, because the action may exist there.
   */
  async #giveUpUnknown(request: TakenRequest): Promise<void> {
    const { pool, rules } = this.#options;
    const isLatest = (await appliedFingerprint(pool)) === rules().fingerprint;
    if (!isLatest) return retryRequest(pool, request, { afterMs: unknownMs, counts: false });
    const message = `there is no action "${request.action}" any more`;
    const error = new ActionError(message, { code: 'unexpected', path: '$' });
    return this.#end(request, error);
  }
}
