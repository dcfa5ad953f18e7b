import type pino from 'pino';
import { MetadataError } from '../../permissions/index.ts';
import type { ServedModel } from './served-model.ts';

export interface ReloadingOptions {
  readonly rules: Pick<ServedModel, 'reload' | 'hasOtherEnums'>;
  /** Identifies the last apply; rejects where the database does not answer. */
  readonly appliedVersion: () => Promise<string>;
  /** Of the rules that are served, read before they were loaded; absent where it could not be read. */
  readonly servedVersion: string | undefined;
  readonly logger: pino.Logger;
}

/** `unreadable`: the database did not answer; `mistaken`: the files, or what they name, cannot be loaded. */
export type ReloadOutcome = 'unneeded' | 'done' | 'mistaken' | 'unreadable';

/**
 * Reloads after an apply, and remembers whether that succeeded. Any login may send the notice that asks for it, so
 * that nothing is loaded before the database confirms that something has changed.
 */
export class Reloading {
  readonly #options: ReloadingOptions;
  /** The apply that was taken up last, whether or not its rules could be loaded. */
  #version: string | undefined;
  #failure: 'mistaken' | 'unreadable' | undefined;
  /** Set where rows of enum tables may have changed. */
  enumsMayDiffer = false;

  constructor(options: ReloadingOptions) {
    this.#options = options;
    this.#version = options.servedVersion;
  }

  /** Why the last reload failed; the rules from before it are served then. */
  get problems(): readonly string[] {
    return this.#failure
      ? ['the metadata that was applied last cannot be loaded; the log says why']
      : [];
  }

  /** Reloads where there was another apply, or enum tables hold other values. */
  async takeUp(): Promise<ReloadOutcome> {
    const { enumsMayDiffer } = this;
    this.enumsMayDiffer = false;
    try {
      const version = await this.#options.appliedVersion();
      if (await this.#isNeeded(version, enumsMayDiffer)) return await this.#reload(version);
      this.#options.logger.debug('a notice of changed rules brought nothing new');
      return 'unneeded';
    } catch (error) {
      this.enumsMayDiffer ||= enumsMayDiffer;
      this.#logFailure(error);
      return 'unreadable';
    }
  }

  async #isNeeded(version: string, enumsMayDiffer: boolean): Promise<boolean> {
    if (version !== this.#version || this.#failure === 'unreadable') return true;
    // A mistake would be found again: it waits for another apply.
    if (this.#failure === 'mistaken' || !enumsMayDiffer) return false;
    return this.#options.rules.hasOtherEnums();
  }

  async #reload(version: string): Promise<'done' | 'mistaken'> {
    try {
      await this.#options.rules.reload();
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
