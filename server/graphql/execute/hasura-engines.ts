import type { GraphQLSchema } from 'postgraphile/graphql';
import { takesSession } from '../../../permissions/index.ts';
import type { Caller } from '../../caller/authenticate.ts';
import { Budget } from '../../lru.ts';
import { limitsOf } from '../limits/role-limits.ts';
import { buildRoleSchema } from '../schema/schema.ts';
import { makeRoleView } from '../schema/view/role-view.ts';
import { searchPathOf } from '../search-path.ts';
import type { EngineServices } from './engine-services.ts';
import type { ServedExtensions } from './extension-runner.ts';
import { HasuraEngine } from './hasura-engine.ts';

export interface HasuraEnginesOptions extends EngineServices {
  readonly extensions: ServedExtensions | undefined;
}

/** The engines of Hasura's dialect, one for each role. An engine is made at the first request in its role. */
export class HasuraEngines {
  readonly #options: HasuraEnginesOptions;
  readonly #engines = new Map<string, HasuraEngine>();
  readonly #schemas = new Map<string, GraphQLSchema>();
  readonly #budget: Budget;

  constructor(options: HasuraEnginesOptions) {
    this.#options = options;
    this.#budget = new Budget(options.config.operations.planBytes);
  }

  of(caller: Caller): HasuraEngine {
    const key = JSON.stringify([caller.role.name, caller.isBackend]);
    const engine = this.#engines.get(key) ?? this.#make(caller);
    this.#engines.set(key, engine);
    return engine;
  }

  #make({ role, isBackend }: Caller): HasuraEngine {
    const { model, registry, listed, pool, memory, config, extensions } = this.#options;
    const limits = limitsOf(role, config.limits);
    const view = makeRoleView(model, role, registry, isBackend, extensions?.catalog);
    const schema = this.#schemas.get(view.schemaKey) ?? buildRoleSchema(registry, view);
    this.#schemas.set(view.schemaKey, schema);
    const isRestricted = config.operations.allowList && role.name !== 'admin';
    return new HasuraEngine({
      ...{ view, schema, pool, memory, budget: this.#budget, ...limits },
      extensions: extensions && (() => extensions.runnerOf({ role, isBackend })),
      variableNames: model.variables,
      takesSession: takesSession(model),
      searchPath: searchPathOf(model),
      headerPrefix: model.headerPrefix,
      compile: {
        stringifyNumericTypes: config.stringifyNumericTypes,
        maxRows: config.limits.rows,
        maxBytes: config.limits.responseBytes,
        maxDepth: limits.maxDepth,
        maxCrossings: limits.maxCrossings,
        maxTables: config.limits.tables,
      },
      isListed: isRestricted ? (document) => listed.allows(document, role) : undefined,
    });
  }
}
