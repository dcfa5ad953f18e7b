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
import type { TableView } from '../schema/view/table-view.ts';
import type { Variables } from '../validate/variables.ts';
import { Extent, type ExtentLimits } from './extent.ts';
import { argumentsOf, type Input, inputOf } from './input/input.ts';
import { NotedVariables } from './input/noted-variables.ts';
import type { Shape } from './input/shape.ts';

export interface CompileOptions extends ExtentLimits {
  /** Whether bigint, numeric and double precision go out as strings. */
  readonly stringifyNumericTypes: boolean;
  /** Rows that one list may have. */
  readonly maxRows: number;
  /** Bytes that the answer of one operation may have. */
  readonly maxBytes: number;
  /** Relationships that one condition or ordering may go through. */
  readonly maxDepth: number;
  /** The session's variables as a JSON object, for functions that take them. */
  readonly session: SQL;
}

type Rule = ExpressionsOfRule & { readonly variables: readonly VariableUse[] };

/** A row of a table, and the fields that are asked of it. */
export interface RowRequest {
  readonly table: TableView;
  readonly alias: SQL;
  /** All fields of one response key. */
  readonly nodes: readonly FieldNode[];
  readonly path: string;
}

/** Compiles a field of a row; rows, lists and aggregates reach each other through it. */
export type FieldCompiler = (
  compilation: Compilation,
  request: RowRequest,
  nodes: readonly FieldNode[],
) => SQL;

/** What a request must be like for what was compiled. */
export interface Conditions {
  /** For which variables of a request it holds. */
  readonly shape: Shape;
  /** Session variables that the rules in use read. */
  readonly uses: readonly VariableUse[];
  /** Whether functions of the database act on values there that the role may not read. */
  readonly callsOwner: boolean;
  /** Tables that fields, conditions and orderings lead to. */
  readonly extent: number;
}

/** The compilation of one operation for one shape of its variables. */
export class Compilation {
  readonly #rules = new Set<Rule>();
  #parts = 0;
  #rows = 0;
  #callsOwner = false;
  readonly options: CompileOptions;
  readonly extent: Extent;
  readonly #conditionDepth: ConditionDepth;
  readonly compileField: FieldCompiler;
  readonly #fragments: ReadonlyMap<string, FragmentDefinitionNode>;
  readonly #variables: NotedVariables;

  constructor(
    fragments: ReadonlyMap<string, FragmentDefinitionNode>,
    variables: Variables,
    options: CompileOptions,
    compileField: FieldCompiler,
  ) {
    this.#fragments = fragments;
    this.#variables = new NotedVariables(variables);
    this.options = options;
    this.extent = new Extent(options);
    this.#conditionDepth = new ConditionDepth(options.maxDepth);
    this.compileField = compileField;
  }

  /** Compiles what a condition or ordering asks of related rows. @throws RequestError where that is too far */
  related<T>(compile: () => T): T {
    return this.#conditionDepth.enter(compile);
  }

  /** Counts what a condition or ordering is made of: objects and comparisons. @throws RequestError for too many */
  count(parts = 1): void {
    this.#parts += parts;
    if (this.#parts > MAX_PARTS) throw tooManyParts();
  }

  /** Compiles a row. @returns also how many rows its lists have at most, together */
  countRows<T>(compile: () => T): { readonly compiled: T; readonly rows: number } {
    const before = this.#rows;
    this.#rows = 0;
    const compiled = compile();
    const rows = this.#rows;
    this.#rows = before;
    return { compiled, rows };
  }

  /** Notes a list inside of the row that is being compiled. */
  addRows(rows: number): void {
    this.#rows += rows;
  }

  /** Notes that a rule decides about what is compiled. */
  use(rule: Rule): void {
    this.#rules.add(rule);
  }

  /** Notes that a function acts on values that the role may not read. Those that rules call are known by the rules. */
  noteOwnerCall(): void {
    this.#callsOwner = true;
  }

  /** Ends the compilation. Its result serves later requests, and must hold nothing of this one. */
  finish(): Conditions {
    this.#variables.forget();
    const rules = [...this.#rules];
    const uses = rules.flatMap((rule) => rule.variables);
    return {
      callsOwner: this.#callsOwner || rules.some((rule) => computedInRule(rule).length > 0),
      shape: this.#variables.shape,
      uses: [...new Map(uses.map((use) => [JSON.stringify(use), use])).values()],
      extent: this.extent.size,
    };
  }

  argumentsOf(node: FieldNode): Readonly<Record<string, Input>> {
    return argumentsOf(node, this.#variables);
  }

  /** The fields below some fields of one response key; fragments expanded, directives obeyed, equal keys together. */
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
