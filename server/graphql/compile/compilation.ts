import {
  type FieldNode,
  type FragmentDefinitionNode,
  Kind,
  type SelectionNode,
} from 'postgraphile/graphql';
import type { SQL } from 'postgraphile/pg-sql2';
import {
  computedInRule,
  type ExpressionsOfRule,
  type VariableUse,
} from '../../../permissions/index.ts';
import { MAX_PARTS, tooManyParts } from '../limits/condition-parts.ts';
import { ConditionDepth } from '../limits/depth.ts';
import { type CountLimits, OperationCounter } from '../limits/operation-counter.ts';
import type { TableView } from '../schema/view/table-view.ts';
import type { Variables } from '../validate/variables.ts';
import type { ByteLimit } from './bounded-columns.ts';
import { argumentsOf, type Input, inputOf } from './input/input.ts';
import type { Shape } from './input/shape.ts';
import { TrackedVariables } from './input/tracked-variables.ts';
import type { ReadFacts, Reads } from './live/reads.ts';
import { SubqueryJoins } from './subquery-joins.ts';

export interface CompileOptions extends CountLimits {
  /** True if bigint, numeric and double precision are sent as strings. */
  readonly stringifyNumericTypes: boolean;
  /** Maximum rows of one list. */
  readonly maxRows: number;
  /** Maximum bytes of the answer to one operation. */
  readonly maxBytes: number;
  /** Maximum relationships that one condition or ordering may follow. */
  readonly maxDepth: number;
}

type Rule = ExpressionsOfRule & { readonly variables: readonly VariableUse[] };

/** A row of a table, with the fields of the row that the client selects. */
export interface RowRequest {
  readonly table: TableView;
  readonly alias: SQL;
  /** All fields with the same response key. */
  readonly nodes: readonly FieldNode[];
  readonly path: string;
}

/**
 * Compiles a field of a row. The module for rows calls this function of the `Compilation`. It cannot import the
 * function, because the modules for fields, lists and aggregates need the module for rows.
 */
export type FieldCompiler = (
  compilation: Compilation,
  request: RowRequest,
  nodes: readonly FieldNode[],
) => SQL;

/** The requirements of a compiled statement, and the facts needed to run it. */
export interface Conditions {
  /** The properties of the variables that another request must share to use the same statement. */
  readonly shape: Shape;
  /** The session variables that the applied rules read. */
  readonly uses: readonly VariableUse[];
  /** True if database functions process values that the role may not read. Clients then get less detailed errors. */
  readonly callsOwner: boolean;
  /** Number of tables that fields, conditions and orderings read. */
  readonly extent: number;
}

/** Compiles one operation for one shape of its variables. */
export class Compilation {
  readonly #rules = new Set<Rule>();
  #parts = 0;
  #rows = 0;
  #callsOwner = false;
  readonly options: CompileOptions;
  readonly counter: OperationCounter;
  readonly joins = new SubqueryJoins();
  readonly #conditionDepth: ConditionDepth;
  readonly compileField: FieldCompiler;
  /** Whether the answer consists of the texts of several statements. */
  hasSeveralAnswers = false;
  /** The recorded reads of the statement. Undefined: the operation is no subscription, and its reads are not recorded. */
  reads: Reads | undefined;
  readonly #fragments: ReadonlyMap<string, FragmentDefinitionNode>;
  readonly #variables: TrackedVariables;

  constructor(
    fragments: ReadonlyMap<string, FragmentDefinitionNode>,
    variables: Variables,
    options: CompileOptions,
    compileField: FieldCompiler,
  ) {
    this.#fragments = fragments;
    this.#variables = new TrackedVariables(variables);
    this.options = options;
    this.counter = new OperationCounter(options);
    this.#conditionDepth = new ConditionDepth(options.maxDepth);
    this.compileField = compileField;
  }

  /** The limit for the texts of one statement. */
  get byteLimit(): ByteLimit {
    return { maxBytes: this.options.maxBytes, isForAll: this.hasSeveralAnswers };
  }

  /**
   * Compiles an argument separately from the surrounding query. Errors about the size of the argument contain the path.
   */
  atArgument<T>(path: string, compile: () => T): T {
    return this.counter.at(path, () => this.joins.apart(compile));
  }

  /**
   * Compiles the part of a condition or ordering that concerns related rows. @throws RequestError when it is nested too
   * deep
   */
  related<T>(compile: () => T): T {
    return this.#conditionDepth.enter(compile);
  }

  /** Counts the objects and comparisons of conditions and orderings. @throws RequestError when there are too many */
  count(parts = 1): void {
    this.#parts += parts;
    if (this.#parts > MAX_PARTS) throw tooManyParts();
  }

  /** Compiles a row. @returns the compiled row, and the maximum number of rows in all of its lists together */
  countRows<T>(compile: () => T): { readonly compiled: T; readonly rows: number } {
    const before = this.#rows;
    this.#rows = 0;
    const compiled = compile();
    const rows = this.#rows;
    this.#rows = before;
    return { compiled, rows };
  }

  /** Adds the maximum rows of a list inside the row that is being compiled. */
  addRows(rows: number): void {
    this.#rows += rows;
  }

  /**
   * Records that a rule applies to the compiled statement. The caller must then have the session variables that this
   * rule reads.
   */
  use(rule: Rule): void {
    this.#rules.add(rule);
  }

  /** Records that the statement reads rows of a table, so that the rule of the role applies. */
  readRows(table: TableView, facts: ReadFacts): void {
    this.use(table.select);
    this.reads?.add(table, facts);
  }

  /** Records that the statement calls a function of the user. */
  noteCall(): void {
    if (this.reads) this.reads.callsFunctions = true;
  }

  /**
   * Records that a function processes values that the role may not read. Clients then get less detailed errors, because
   * an error could reveal such a value. Functions that a rule calls need no separate record, because `use` records the
   * rule.
   */
  noteOwnerCall(): void {
    this.#callsOwner = true;
  }

  /** Ends the compilation. Later requests use the result, so it must contain no value of this request. */
  finish(): Conditions {
    this.#variables.forget();
    const rules = [...this.#rules];
    const uses = rules.flatMap((rule) => rule.variables);
    return {
      callsOwner: this.#callsOwner || rules.some((rule) => computedInRule(rule).length > 0),
      shape: this.#variables.shape,
      uses: [...new Map(uses.map((use) => [JSON.stringify(use), use])).values()],
      extent: this.counter.size,
    };
  }

  argumentsOf(node: FieldNode): Readonly<Record<string, Input>> {
    return argumentsOf(node, this.#variables);
  }

  /**
   * Collects the fields below the given fields by response key. Fragments are expanded, and `@skip` and `@include` are
   * applied.
   */
  fieldsBelow(nodes: readonly FieldNode[]): ReadonlyMap<string, readonly FieldNode[]> {
    return this.fields(nodes.flatMap((node) => node.selectionSet?.selections ?? []));
  }

  fields(selections: readonly SelectionNode[]): ReadonlyMap<string, readonly FieldNode[]> {
    const found = new Map<string, FieldNode[]>();
    this.#collect(selections, found);
    return found;
  }

  #collect(selections: readonly SelectionNode[], found: Map<string, FieldNode[]>): void {
    for (const node of selections) {
      if (!this.#isIncluded(node)) continue;
      if (node.kind === Kind.FIELD) {
        const key = node.alias?.value ?? node.name.value;
        const nodes = found.get(key);
        if (nodes) nodes.push(node);
        else found.set(key, [node]);
      } else if (node.kind === Kind.INLINE_FRAGMENT) {
        this.#collect(node.selectionSet.selections, found);
      } else {
        const fragment = this.#fragments.get(node.name.value);
        this.#collect(fragment?.selectionSet.selections ?? [], found);
      }
    }
  }

  #isIncluded({ directives }: SelectionNode): boolean {
    return (directives ?? []).every(({ name, arguments: given }) => {
      const condition = given?.find((argument) => argument.name.value === 'if');
      if (!condition || (name.value !== 'skip' && name.value !== 'include')) return true;
      const value = inputOf(condition.value, this.#variables).constant();
      return value === (name.value === 'include');
    });
  }
}
