import type pino from 'pino';
import { MetadataError } from '../../permissions/index.ts';
import type { ServedModel } from './served-model.ts';

export interface ReloadingOptions {
  readonly served: Pick<ServedModel, 'reload' | 'hasOtherEnums'>;
  /** Returns the version of the last apply; rejects when the database does not answer. */
  readonly appliedVersion: () => Promise<string>;
  /** The version that was read before the served rules were loaded; absent when it could not be read. */
  readonly servedVersion: string | undefined;
  readonly logger: pino.Logger;
}

/**
 * The result of an update. `unreadable`: the database did not answer. `mistaken`: the metadata files have a mistake or
 * name something that does not exist.
 */
export type ReloadOutcome = 'unneeded' | 'done' | 'mistaken' | 'unreadable';

/**
 * Reloads the rules after an apply and records failures. Any database login can send the notice that requests a reload,
 * so nothing is loaded until the applied version in the database confirms a change.
 */
export class Reloading {
  readonly #options: ReloadingOptions;
  /** The version of the last apply that this process has tried to load, successfully or not. */
  #version: string | undefined;
  #failure: 'mistaken' | 'unreadable' | undefined;
  /** Set to true when rows of enum tables may have changed. */
  enumsMayDiffer = false;

  constructor(options: ReloadingOptions) {
    this.#options = options;
    this.#version = options.servedVersion;
  }

  /** Returns the problem of a failed reload, for the readiness endpoint. The old rules are still served then. */
  get problems(): readonly string[] {
    return this.#failure
      ? ['the metadata that was applied last cannot be loaded; the log has the reason']
      : [];
  }

  /** Reloads the rules after another apply, or when enum tables have other values than the served ones. */
  async update(): Promise<ReloadOutcome> {
    const { enumsMayDiffer } = this;
    this.enumsMayDiffer = false;
    try {
      const version = await this.#options.appliedVersion();
      if (await this.#isNeeded(version, enumsMayDiffer)) return await this.#reload(version);
      this.#options.logger.debug('a notice of changed rules was unnecessary');
      return 'unneeded';
    } catch (error) {
      this.enumsMayDiffer ||= enumsMayDiffer;
      this.#logFailure(error);
      return 'unreadable';
    }
  }

  async #isNeeded(version: string, enumsMayDiffer: boolean): Promise<boolean> {
    if (version !== this.#version || this.#failure === 'unreadable') return true;
    // After a mistake, the rules are loaded again only after a new apply, because the same files would have the same
    // mistake.
    if (this.#failure === 'mistaken' || !enumsMayDiffer) return false;
    return this.#options.served.hasOtherEnums();
  }

  async #reload(version: string): Promise<'done' | 'mistaken'> {
    try {
      await this.#options.served.reload();
    } catch (error) {
      this.#failure = error instanceof MetadataError ? 'mistaken' : 'unreadable';
      if (this.#failure === 'unreadable') throw error;
      this.#version = version;
      this.#logFailure(error);
      return 'mistaken';
    }
    this.#version = version;
    this.#failure = undefined;
    this.#options.logger.info('reloaded the metadata');
    return 'done';
  }

  #logFailure(error: unknown): void {
    const message = 'cannot reload the metadata; the old rules stay in force';
    this.#options.logger.error({ err: error }, message);
  }
}
