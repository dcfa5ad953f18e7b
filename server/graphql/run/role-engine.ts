import type { GraphQLSchema } from 'postgraphile/graphql';
import type { Caller } from '../../context.ts';
import type { JsonRow, RequestPool } from '../../db/request-pool.ts';
import { Lru } from '../../lru.ts';
import type { CompileOptions } from '../compile/compilation.ts';
import type { Written } from '../compile/input.ts';
import type { Json } from '../json.ts';
import { checkDocument } from '../validate/document.ts';
import type { RoleView } from '../view/role-view.ts';
import { Operation } from './operation.ts';
import type { Plan, RootValue } from './plan.ts';
import { PlanRun } from './plan-run.ts';
import type { ErrorView } from './postgres-error.ts';
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
  readonly pool: RequestPool;
  /** Of the model: every one is set on each request. */
  readonly variableNames: readonly string[];
  readonly searchPath: string;
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
    this.#errors = { role: view, statementTimeoutMs, maxRows, maxBytes };
  }

  /** The text of a response that has data. @throws RequestError, CallerError */
  async run(request: GraphqlRequest, caller: Caller): Promise<string> {
    const operation = this.#find(request);
    const variables = operation.variables(request.variables);
    const plan = operation.plan(variables);
    checkSessionVariables(plan.uses, caller, this.#options.headerPrefix);
    const { pool, view, variableNames: names, searchPath, schema } = this.#options;
    const values = caller.variables;
    const settings = { role: view.role.postgresName, searchPath, names, values };
    const run = new PlanRun(plan, variables, { pool, settings, errors: this.#errors });
    const { statement, program, remainder } = plan;
    const [row, written, rest] = await Promise.all([
      statement ? run.read(statement) : [],
      program ? run.write(program) : [],
      remainder ? executeRemainder(schema, remainder, variables) : {},
    ]);
    return assemble(plan, { row, written, rest });
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
}

/** What the parts of an operation came to. */
interface Results {
  readonly row: JsonRow;
  readonly written: Written;
  readonly rest: Readonly<Record<string, unknown>>;
}

function assemble({ fields }: Plan, results: Results): string {
  const members = fields.map(([key, value]) => `"${key}":${textOf(key, value, results)}`);
  return `{"data":{${members.join(',')}}}`;
}

function textOf(key: string, value: RootValue, { row, written, rest }: Results): string {
  switch (value.kind) {
    case 'table':
      return row[value.column] ?? 'null';
    case 'written':
      return value.assemble(written);
    case 'typename':
      return JSON.stringify(value.text);
    case 'remainder':
      return JSON.stringify(rest[key] ?? null);
  }
}
