import { randomUUID } from 'node:crypto';
import { type RoleModel, runInSlices, type Steps } from '../../../permissions/index.ts';
import type { Caller } from '../../caller/authenticate.ts';
import { shareOf } from '../../caller/caller-share.ts';
import type { RequestPool } from '../../db/requests/request-pool.ts';
import { Budget, Lru } from '../../lru.ts';
import { writeCatalog } from '../introspection/catalog-text.ts';
import { wholeSchema } from '../introspection/introspection.ts';
import type { Introspector } from '../introspection/introspector.ts';
import type { ModelSource } from '../introspection/model-source.ts';
import { OnDemandSchema } from '../schema/on-demand-schema.ts';
import { type RoleView, roleViewSteps } from '../schema/view/role-view.ts';
import { engineOptionsOf } from './engine-options.ts';
import type { EngineServices } from './engine-services.ts';
import type { ServedExtensions } from './extension-runner.ts';
import { HasuraEngine, type Introspect } from './hasura-engine.ts';

export interface HasuraEnginesOptions extends EngineServices {
  readonly introspector: Introspector;
  /** Runs the statements of subscriptions. */
  readonly refetches: RequestPool;
  readonly extensions: ServedExtensions | undefined;
}

/**
 * Maximum size of the description of a role, and of all descriptions that stay in memory. They do not take the memory
 * of plans, which all callers need. 300 tables take 16 MiB.
 */
const descriptionBytes = 64 * 1024 * 1024;

type RoleCaller = Pick<Caller, 'role' | 'isBackend'>;

/**
 * The engines of Hasura's dialect, one for each role. An engine is made at the first request in its role, in slices
 * between which other requests run.
 */
export class HasuraEngines {
  readonly #options: HasuraEnginesOptions;
  /** The engines by role: of callers for whom rules marked `backend_only` apply, and of all others. */
  readonly #engines = {
    backend: new Map<string, HasuraEngine>(),
    other: new Map<string, HasuraEngine>(),
  };
  readonly #making = new Map<string, Promise<HasuraEngine>>();
  readonly #schemas = new Map<string, OnDemandSchema>();
  readonly #budget: Budget;
  readonly #descriptions: Lru<string>;
  /** Distinguishes the schemas of this version of the model from those of other versions. */
  readonly #version = randomUUID();

  constructor(options: HasuraEnginesOptions) {
    this.#options = options;
    this.#budget = new Budget(options.config.operations.planBytes);
    this.#descriptions = new Lru(descriptionBytes);
  }

  of(caller: RoleCaller): HasuraEngine | Promise<HasuraEngine> {
    const { role, isBackend } = caller;
    const made = this.#engines[isBackend ? 'backend' : 'other'].get(role.name);
    if (made) return made;
    const key = JSON.stringify([role.name, isBackend]);
    return this.#making.get(key) ?? this.#begin(key, caller);
  }

  /**
   * Returns the schema of a role as the answer to introspection, in JSON. The limits of the role do not apply, because
   * the authors of the rules ask.
   */
  async describe(role: RoleModel): Promise<string> {
    const known = this.#descriptions.get(role.name);
    if (known !== undefined) return known;
    const { model, registry, extensions } = this.#options;
    const view = await runInSlices(
      roleViewSteps(model, role, registry, false, extensions?.catalog),
    );
    const introspect = this.#introspectionOf(view, false, descriptionBytes);
    const texts = await introspect({
      ...{ introspection: wholeSchema, variables: new Map(), signal: undefined },
      share: shareOf({ role, variables: new Map(), isBackend: false }, {}),
    });
    const text = `{"__schema":${texts.__schema}}`;
    this.#descriptions.set(role.name, text, text.length);
    return text;
  }

  /** After a failure, the next request of the role tries again. */
  #begin(key: string, caller: RoleCaller): Promise<HasuraEngine> {
    const making = runInSlices(this.#make(caller)).then((engine) => {
      this.#engines[caller.isBackend ? 'backend' : 'other'].set(caller.role.name, engine);
      return engine;
    });
    const made = making.finally(() => this.#making.delete(key));
    this.#making.set(key, made);
    return made;
  }

  *#make({ role, isBackend }: RoleCaller): Steps<HasuraEngine> {
    const { model, registry, listed, pool, refetches, memory, config, extensions } = this.#options;
    const view = yield* roleViewSteps(model, role, registry, isBackend, extensions?.catalog);
    yield;
    const schema = this.#schemas.get(view.schemaKey) ?? new OnDemandSchema(view);
    yield;
    this.#schemas.set(view.schemaKey, schema);
    const isRestricted = config.operations.allowList && role.name !== 'admin';
    return new HasuraEngine({
      ...engineOptionsOf(view, model, config),
      ...{ schema, pool, memory, budget: this.#budget },
      live: { version: this.#version, pool: refetches },
      introspect: this.#introspectionOf(view, isBackend, config.limits.responseBytes),
      extensions: extensions && (() => extensions.runnerOf({ role, isBackend })),
      isListed: isRestricted ? (document) => listed.allows(document, role) : undefined,
    });
  }

  #introspectionOf(
    { role, schemaKey }: RoleView,
    asBackend: boolean,
    maxBytes: number,
  ): Introspect {
    const { introspector } = this.#options;
    return (request) =>
      introspector.answer({
        ...{ ...request, role, asBackend, schemaKey, version: this.#version },
        source: () => this.#source(),
        maxBytes,
      });
  }

  #source(): ModelSource {
    const { model, registry, extensions } = this.#options;
    const { tables, functions } = model;
    const catalog = extensions && writeCatalog(extensions.catalog);
    return { model: { tables, functions }, registry: registry.data, catalog };
  }
}
