import type { GraphQLSchema } from 'postgraphile/graphql';
import type { Caller } from '../../context.ts';
import { type ReadPool, statementName } from '../../db/read-pool.ts';
import type { CompileOptions } from '../compile/compilation.ts';
import type { Json } from '../json.ts';
import { checkDocument } from '../validate/document.ts';
import type { Variables } from '../validate/variables.ts';
import type { RoleView } from '../view/role-view.ts';
import { Lru } from './lru.ts';
import { Operation } from './operation.ts';
import type { Plan } from './plan.ts';
import { type ErrorView, toRequestError } from './postgres-error.ts';
import { executeRemainder } from './remainder.ts';
import { checkSessionVariables } from './required-variables.ts';

/** One operation as a client sends it. */
export interface GraphqlRequest {
  readonly query: string;
  readonly operationName: string | undefined;
  readonly variables: Json | undefined;
}

export interface RoleEngineOptions {
  readonly view: RoleView;
  readonly schema: GraphQLSchema;
  readonly pool: ReadPool;
  /** Of the model: every one is set on each request. */
  readonly variableNames: readonly string[];
  readonly headerPrefix: string;
  readonly compile: CompileOptions;
  readonly maxDepth: number;
  readonly statementTimeoutMs: number;
}

/** Characters of all documents that are kept; what is made of them takes a multiple of that. */
const MAX_CACHED_LENGTH = 1_000_000;

/** What even the shortest document counts as. */
const DOCUMENT_COST = 500;

/** Runs the operations of one role. */
export class RoleEngine {
  readonly #options: RoleEngineOptions;
  readonly #hint: string;
  readonly #errors: ErrorView;
  readonly #operations = new Lru<Operation>(MAX_CACHED_LENGTH);

  constructor(options: RoleEngineOptions) {
    const { view, compile, statementTimeoutMs } = options;
    this.#options = options;
    this.#hint = view.isAdmin
      ? ''
      : `; it does not exist or role "${view.role.name}" has no permission for it`;
    const { maxRows, maxBytes } = compile;
    this.#errors = { isAdmin: view.isAdmin, statementTimeoutMs, maxRows, maxBytes };
  }

  /** The text of a response that has data. @throws RequestError, CallerError */
  async run(request: GraphqlRequest, caller: Caller): Promise<string> {
    const operation = this.#find(request);
    const variables = operation.variables(request.variables);
    const plan = operation.plan(variables);
    const { headerPrefix } = this.#options;
    checkSessionVariables(plan.statement?.uses ?? [], caller, headerPrefix);
    const [row, rest] = await Promise.all([
      this.#read(plan, variables, caller),
      this.#execute(plan, variables),
    ]);
    return assemble(plan, row, rest);
  }

  #find({ query, operationName }: GraphqlRequest): Operation {
    const key = `${operationName ?? ''}\0${query}`;
    const known = this.#operations.get(key);
    if (known) return known;
    const { schema, maxDepth, view, compile } = this.#options;
    const checked = checkDocument(query, operationName, { schema, maxDepth, hint: this.#hint });
    const operation = new Operation(checked, view, this.#hint, compile);
    this.#operations.set(key, operation, key.length + DOCUMENT_COST);
    return operation;
  }

  async #read(plan: Plan, variables: Variables, caller: Caller) {
    const { statement } = plan;
    if (!statement) return [];
    const { pool, view, variableNames } = this.#options;
    const settings = {
      role: view.role.postgresName,
      names: variableNames,
      values: caller.variables,
    };
    const values = statement.parameters.map((read) => read(variables));
    const { text } = statement;
    if (plan.isKnown) plan.statementName ??= statementName(settings.role, text);
    plan.isKnown = true;
    try {
      return await pool.read(settings, { text, values, name: plan.statementName });
    } catch (error) {
      throw toRequestError(error, this.#errors);
    }
  }

  async #execute({ remainder }: Plan, variables: Variables) {
    return remainder ? executeRemainder(this.#options.schema, remainder, variables) : {};
  }
}

function assemble(
  { fields }: Plan,
  row: readonly (string | null)[],
  rest: Readonly<Record<string, unknown>>,
): string {
  const members = fields.map(([key, value]) => {
    if (value.kind === 'table') return `"${key}":${row[value.column] ?? 'null'}`;
    return `"${key}":${JSON.stringify(value.kind === 'typename' ? value.text : (rest[key] ?? null))}`;
  });
  return `{"data":{${members.join(',')}}}`;
}
