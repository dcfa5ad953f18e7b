import type { FieldNode, OperationTypeNode } from 'postgraphile/graphql';
import type { VariableUse } from '../../../permissions/index.ts';
import { Compilation, type CompileOptions } from '../compile/compilation.ts';
import { ExtensionFields } from '../compile/extensions/extension-fields.ts';
import type { Shape } from '../compile/input/shape.ts';
import { type LiveReads, liveReads } from '../compile/live/dependencies.ts';
import { Reads } from '../compile/live/reads.ts';
import { compileField } from '../compile/row-field.ts';
import { compileStatement, type StatementText, type TableField } from '../compile/statement.ts';
import { compileStream, type StreamPlan } from '../compile/stream/stream.ts';
import { addFunctionCall } from '../compile/write/function-call.ts';
import { type Assemble, addMutation } from '../compile/write/mutation.ts';
import { WriteProgram } from '../compile/write/program.ts';
import { type Introspection, makeIntrospection } from '../introspection/introspection.ts';
import { validationFailed } from '../request-error.ts';
import type { RoleView } from '../schema/view/role-view.ts';
import type { CheckedOperation } from '../validate/document.ts';
import type { Variables } from '../validate/variables.ts';

/** The source of a root field's value. */
export type RootValue =
  | { readonly kind: 'typename'; readonly text: string }
  /** A column of the statement's only row. */
  | { readonly kind: 'table'; readonly column: number }
  /** Assembled from the rows that the steps of a program return. */
  | { readonly kind: 'written'; readonly assemble: Assemble }
  | { readonly kind: 'introspection' };

/** The compiled form of an operation for one shape of its variables. */
export interface Plan {
  /** Root fields by response key, in the order of the answer. */
  readonly fields: readonly (readonly [string, RootValue])[];
  /** The statement of a query. */
  readonly statement: StatementText | undefined;
  /** The steps of a mutation, or of a query with extension fields. */
  readonly program: WriteProgram | undefined;
  /** Present when the operation selects extension fields. */
  readonly extended: { readonly writes: boolean } | undefined;
  readonly introspection: Introspection | undefined;
  /** Present if the operation is a subscription. */
  readonly live: LivePlan | undefined;
  /**
   * Upper bound for the number of tables that one statement of the plan reads. The higher the number, the less memory
   * Postgres may use for one sort.
   */
  readonly extent: number;
  /** Session variables that the rules of the selected tables read. */
  readonly uses: readonly VariableUse[];
  /** Whether database functions process values that the role may not read. Clients then get less detailed errors. */
  readonly callsOwner: boolean;
  /** Names of the prepared statements, from the second run on. */
  statementNames: ReadonlyMap<StatementText, string> | undefined;
  /** Whether the plan has run before. */
  isKnown: boolean;
  /** Size of the last answer. */
  answerBytes: number;
}

/** The parts of a plan that only subscriptions have. */
export interface LivePlan {
  readonly reads: LiveReads;
  /** Present if the root field streams rows. The plan has no other statement then. */
  readonly stream: StreamPlan | undefined;
}

/** Returns the statements of a plan in order. */
export function statementsOf({ statement, program, live }: Plan): readonly StatementText[] {
  if (live?.stream) return [live.stream.first, live.stream.next, live.stream.pick];
  const own = (program?.steps ?? []).flatMap((step) =>
    'statement' in step ? [step.statement] : [],
  );
  return statement ? [statement, ...own] : own;
}

/** Compiles an operation. The plan is valid for all variables with the same `shape`. */
export function makePlan(
  view: RoleView,
  checked: CheckedOperation,
  variables: Variables,
  options: CompileOptions,
): { readonly plan: Plan; readonly shape: Shape } {
  const compilation = new Compilation(checked.fragments, variables, options, compileField);
  const { operation } = checked;
  const roots = [...compilation.fields(operation.selectionSet.selections)];
  const parts = PLANNERS[operation.operation](compilation, view, checked, roots);
  const { shape, ...conditions } = compilation.finish();
  return {
    plan: { ...parts, ...conditions, statementNames: undefined, isKnown: false, answerBytes: 0 },
    shape,
  };
}

type Roots = readonly (readonly [string, readonly FieldNode[]])[];
type Parts = Pick<Plan, 'fields' | 'statement' | 'program' | 'extended' | 'introspection' | 'live'>;
type Planner = (
  compilation: Compilation,
  view: RoleView,
  checked: CheckedOperation,
  roots: Roots,
) => Parts;

const PLANNERS: Readonly<Record<`${OperationTypeNode}`, Planner>> = {
  query: planQuery,
  mutation: planMutation,
  subscription: planSubscription,
};

/** Divides the root fields of a query among Postgres, introspection and extensions. */
function planQuery(
  compilation: Compilation,
  view: RoleView,
  checked: CheckedOperation,
  roots: Roots,
): Parts {
  const tables: TableField[] = [];
  const rest: FieldNode[] = [];
  const extended: Roots[number][] = [];
  const fields = roots.map(([key, nodes]): readonly [string, RootValue] => {
    const name = nodes[0]?.name.value ?? '';
    if (name === '__typename') return [key, { kind: 'typename', text: 'query_root' }];
    if (view.roots.has(name) || view.functions.queries.has(name)) {
      tables.push({ key, nodes });
      return [key, { kind: 'table', column: tables.length - 1 }];
    }
    if (view.extensions?.queries.has(name)) {
      extended.push([key, nodes]);
      return [key, { kind: 'introspection' }];
    }
    rest.push(...nodes);
    return [key, { kind: 'introspection' }];
  });
  const readable = { tables: view.roots, functions: view.functions.queries };
  const statement = tables.length > 0 ? compileStatement(compilation, readable, tables) : undefined;
  const introspection = rest.length > 0 ? makeIntrospection(checked, rest) : undefined;
  const others = { statement, introspection, live: undefined };
  if (extended.length === 0) return { ...others, fields, program: undefined, extended: undefined };
  const program = new WriteProgram(compilation.options.maxBytes);
  const assembles = extensionFields(compilation, view, checked, program)?.add(extended) ?? [];
  const values = new Map(
    assembles.map((assemble, index) => [
      extended[index]?.[0],
      { kind: 'written', assemble } as const,
    ]),
  );
  return {
    ...{ ...others, program, extended: { writes: false } },
    fields: fields.map(([key, value]) => [key, values.get(key) ?? value]),
  };
}

/** Compiles a subscription, which has exactly one root field. */
function planSubscription(
  compilation: Compilation,
  view: RoleView,
  _checked: CheckedOperation,
  roots: Roots,
): Parts {
  const [root, ...more] = roots;
  const name = root?.[1][0]?.name.value;
  if (!root || more.length > 0 || name === undefined || name === '__typename') {
    throw validationFailed('subscriptions must select one top level field');
  }
  const [key, nodes] = root;
  const reads = new Reads();
  compilation.reads = reads;
  const streamed = view.subscriptions.streams.get(name);
  const stream = streamed && compileStream(compilation, streamed, nodes);
  const statement = stream
    ? undefined
    : compileStatement(compilation, view.subscriptions, [{ key, nodes }]);
  return {
    fields: [[key, { kind: 'table', column: 0 }]],
    ...{ statement, program: undefined, extended: undefined, introspection: undefined },
    live: { reads: liveReads(reads, view.role, view.models), stream },
  };
}

function extensionFields(
  compilation: Compilation,
  view: RoleView,
  { operation }: CheckedOperation,
  program: WriteProgram,
): ExtensionFields | undefined {
  const { extensions } = view;
  return extensions && new ExtensionFields({ compilation, program, view, extensions, operation });
}

function planMutation(
  compilation: Compilation,
  view: RoleView,
  checked: CheckedOperation,
  roots: Roots,
): Parts {
  const program = new WriteProgram(compilation.options.maxBytes);
  compilation.hasSeveralAnswers = roots.length > 1;
  let extensions: ExtensionFields | undefined;
  const fields = roots.map(([key, nodes]): readonly [string, RootValue] => {
    const name = nodes[0]?.name.value ?? '';
    if (name === '__typename') return [key, { kind: 'typename', text: 'mutation_root' }];
    if (view.extensions?.mutations.has(name)) {
      extensions ??= extensionFields(compilation, view, checked, program);
      const [assemble = () => 'null'] = extensions?.add([[key, nodes]]) ?? [];
      return [key, { kind: 'written', assemble }];
    }
    const called = view.functions.mutations.get(name);
    if (called) {
      const assemble = addFunctionCall({ compilation, program, called, nodes });
      return [key, { kind: 'written', assemble }];
    }
    const field = view.mutations.get(name);
    if (!field) throw new Error(`${name} is not a mutation of a table`);
    const assemble = addMutation({ compilation, program, field, nodes });
    return [key, { kind: 'written', assemble }];
  });
  const extended = extensions && { writes: true };
  const others = { statement: undefined, introspection: undefined, live: undefined };
  return { ...others, fields, program, extended };
}
