import { takesSession } from '../../permissions/index.ts';
import type { Caller } from '../caller/authenticate.ts';
import type { EngineServices } from '../graphql/execute/engine-services.ts';
import type { ExtensionRunner } from '../graphql/execute/extension-runner.ts';
import { limitsOf } from '../graphql/limits/role-limits.ts';
import { makeRoleView } from '../graphql/schema/view/role-view.ts';
import { searchPathOf } from '../graphql/search-path.ts';
import { Budget } from '../lru.ts';
import {
  PostGraphileEngine,
  type PostGraphileEngineOptions,
} from './execute/postgraphile-engine.ts';
import { RoleExtensionRunner } from './execute/role-extension-runner.ts';
import { type Extension, extensionsOf } from './preset/extension.ts';
import type { UserPreset } from './preset/user-preset.ts';
import type { Gathered } from './schema/gather.ts';
import { buildRoleSchema, type RoleSchema, schemaKeyOf } from './schema/role-schema.ts';
import { type FileLimits, forRole } from './validate/document-limits.ts';

export interface PostGraphileEnginesOptions extends EngineServices {
  readonly gathered: Gathered;
  readonly user: UserPreset;
  readonly limits: FileLimits;
  /** Default: no extensions. */
  readonly extensions?: readonly Extension[];
}

/** Time without requests after which the engine of a role is forgotten. */
const IDLE_MS = 15 * 60_000;

interface RoleEntry {
  readonly engine: PostGraphileEngine;
  readonly runner: RoleExtensionRunner;
  readonly schemaKey: string;
  usedAt: number;
}

/**
 * The engines of PostGraphile's dialect. Each engine is made at the first request in its role and forgotten when idle.
 */
export class PostGraphileEngines {
  readonly #options: PostGraphileEnginesOptions;
  readonly #engines = new Map<string, RoleEntry>();
  readonly #schemas = new Map<string, RoleSchema>();
  readonly #budget: Budget;

  constructor(options: PostGraphileEnginesOptions) {
    this.#options = options;
    this.#budget = new Budget(options.config.operations.planBytes);
  }

  of(caller: Caller): PostGraphileEngine {
    return this.#find(caller).engine;
  }

  /** Returns the runner of extension fields in Hasura's dialect. */
  runnerOf(caller: Pick<Caller, 'role' | 'isBackend'>): ExtensionRunner {
    return this.#find(caller).runner;
  }

  #find(caller: Pick<Caller, 'role' | 'isBackend'>): RoleEntry {
    const now = performance.now();
    const key = JSON.stringify([caller.role.name, caller.isBackend]);
    const known = this.#engines.get(key);
    if (known) {
      known.usedAt = now;
      return known;
    }
    this.#forgetIdle(now);
    const made = this.#make(caller, now);
    this.#engines.set(key, made);
    return made;
  }

  #forgetIdle(now: number): void {
    for (const [key, { engine, usedAt }] of this.#engines) {
      if (now - usedAt <= IDLE_MS) continue;
      engine.forget();
      this.#engines.delete(key);
    }
    const used = new Set([...this.#engines.values()].map(({ schemaKey }) => schemaKey));
    for (const key of this.#schemas.keys()) if (!used.has(key)) this.#schemas.delete(key);
  }

  #make({ role, isBackend }: Pick<Caller, 'role' | 'isBackend'>, usedAt: number): RoleEntry {
    const { model, registry, gathered, user, listed, pool, memory, config } = this.#options;
    const view = makeRoleView(model, role, registry, isBackend);
    const roleLimits = limitsOf(role, config.limits);
    const limits = forRole(this.#options.limits, role, roleLimits);
    const own = extensionsOf(this.#options.extensions ?? [], view);
    const schemaOptions = { page: limits.page, ...own };
    const schemaKey = schemaKeyOf(view, schemaOptions);
    const schema = this.#schemas.get(schemaKey) ?? buildRoleSchema(gathered, view, schemaOptions);
    this.#schemas.set(schemaKey, schema);
    const isRestricted = config.operations.allowList && role.name !== 'admin';
    const engineOptions: PostGraphileEngineOptions = {
      ...{ view, schema, limits, pool, memory },
      budget: this.#budget,
      variableNames: model.variables,
      takesSession: takesSession(model),
      searchPath: searchPathOf(model),
      headerPrefix: model.headerPrefix,
      statementTimeoutMs: roleLimits.statementTimeoutMs,
      maxWaitMs: config.limits.maxWaitMs,
      maxRows: limits.page.max,
      maxBytes: config.limits.responseBytes,
      service: user.service,
      hasPlugins: user.hasPlugins,
      preset: gathered.executing,
      isListed: isRestricted ? (document) => listed.allows(document, role) : undefined,
    };
    const engine = new PostGraphileEngine(engineOptions);
    return { engine, runner: new RoleExtensionRunner(engineOptions), schemaKey, usedAt };
  }
}
