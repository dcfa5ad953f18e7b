import type { GraphQLSchema } from 'postgraphile/graphql';
import { type SQL, sql } from 'postgraphile/pg-sql2';
import { headerOf, type Model, type RoleModel } from '../../../permissions/index.ts';
import type { Caller } from '../../caller/authenticate.ts';
import { Budget } from '../../lru.ts';
import { jsonObject, TEXT } from '../compile/fragments.ts';
import { parameter } from '../compile/input/input.ts';
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
      searchPath: searchPathOf(model),
      headerPrefix: model.headerPrefix,
      compile: {
        stringifyNumericTypes: config.stringifyNumericTypes,
        maxRows: config.limits.rows,
        maxBytes: config.limits.responseBytes,
        maxDepth: limits.maxDepth,
        maxCrossings: limits.maxCrossings,
        maxTables: config.limits.tables,
        session: sessionObject(model, role),
      },
      isListed: isRestricted ? (document) => listed.allows(document, role) : undefined,
    });
  }
}

/**
 * Makes the value of the session argument that some functions take: a JSON object with the session variables and the
 * role of the request, by header name.
 */
function sessionObject(model: Model, role: RoleModel): SQL {
  const variables = model.variables.map((name) => {
    const setting = sql`${sql.literal(`gql.${name}`)}${TEXT}`;
    const value = sql`nullif(pg_catalog.current_setting(${setting}, true), ''${TEXT})`;
    return [headerOf(name, model.headerPrefix), value] as const;
  });
  const own = [
    `${model.headerPrefix.toLowerCase()}role`,
    sql`${parameter(() => role.name)}${TEXT}`,
  ];
  return sql`pg_catalog.json_strip_nulls(${jsonObject([...variables, own as [string, SQL]])})`;
}
