import type pino from 'pino';
import { MetadataError } from '../permissions/index.ts';
import type { Rules } from './rules.ts';

type Reloaded = Pick<Rules, 'reload' | 'hasOtherEnums'>;

/** Reloads, and remembers whether that went well. */
export class Reloading {
  readonly #rules: Reloaded;
  readonly #logger: pino.Logger;
  /** Why the last one failed; the rules from before it are served then. */
  problems: readonly string[] = [];
  /** Whether more than rows of enum tables may have changed. */
  isApplied = false;

  constructor(rules: Reloaded, logger: pino.Logger) {
    this.#rules = rules;
    this.#logger = logger;
  }

  /** Reloads where that may change anything: any statement on an enum table gives notice, of no rows too. */
  async takeUp(): Promise<'unneeded' | 'done' | 'mistaken' | 'unreadable'> {
    const { isApplied } = this;
    this.isApplied = false;
    const isNeeded = isApplied || (await this.#rules.hasOtherEnums().catch(() => true));
    return isNeeded ? this.#reload() : 'unneeded';
  }

  async #reload(): Promise<'done' | 'mistaken' | 'unreadable'> {
    try {
      await this.#rules.reload();
      this.problems = [];
      this.#logger.info('reloaded the metadata');
      return 'done';
    } catch (error) {
      this.problems = ['the metadata that was applied last cannot be loaded; the log says why'];
      this.#logger.error({ err: error }, 'cannot reload the metadata; the old rules stay in force');
      return error instanceof MetadataError ? 'mistaken' : 'unreadable';
    }
  }
}
