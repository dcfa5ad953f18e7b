import { type FieldNode, OperationTypeNode } from 'postgraphile/graphql';
import type { VariableUse } from '../../../permissions/index.ts';
import { Compilation, type CompileOptions } from '../compile/compilation.ts';
import { ExtensionFields } from '../compile/extensions/extension-fields.ts';
import type { Shape } from '../compile/input/shape.ts';
import { compileField } from '../compile/row-field.ts';
import { compileStatement, type StatementText, type TableField } from '../compile/statement.ts';
import { addFunctionCall } from '../compile/write/function-call.ts';
import { type Assemble, addMutation } from '../compile/write/mutation.ts';
import { WriteProgram } from '../compile/write/program.ts';
import type { RoleView } from '../schema/view/role-view.ts';
import type { CheckedOperation } from '../validate/document.ts';
import type { Variables } from '../validate/variables.ts';
import { type Introspection, makeIntrospection } from './introspection.ts';

/** Where the value of a root field comes from. */
export type RootValue =
  | { readonly kind: 'typename'; readonly text: string }
  /** Column of the statement's row. */
  | { readonly kind: 'table'; readonly column: number }
  /** Made of what the steps of a mutation return. */
  | { readonly kind: 'written'; readonly assemble: Assemble }
  | { readonly kind: 'introspection' };

/** How an operation is run for one shape of its variables. */
export interface Plan {
  /** Response keys in order. */
  readonly fields: readonly (readonly [string, RootValue])[];
  /** Of a query. */
  readonly statement: StatementText | undefined;
  /** Of a mutation, or for fields of extensions. */
  readonly program: WriteProgram | undefined;
  /** Present where fields of extensions take part. */
  readonly extended: { readonly writes: boolean } | undefined;
  readonly introspection: Introspection | undefined;
  /** Tables that it leads to, by an upper bound for each statement. */
  readonly extent: number;
  /** Session variables that the rules of the touched tables read. */
  readonly uses: readonly VariableUse[];
  /** Whether functions of the database act on values there that the role may not read. */
  readonly callsOwner: boolean;
  /** Of the prepared statements, once the plan is run again. */
  statementNames: ReadonlyMap<StatementText, string> | undefined;
  /** Whether it was run before. */
  isKnown: boolean;
  /** Of the last answer. */
  answerBytes: number;
}

/** The statements of a plan, in order. */
export function statementsOf({ statement, program }: Plan): readonly StatementText[] {
  const own = (program?.steps ?? []).flatMap((step) =>
    'statement' in step ? [step.statement] : [],
  );
  return statement ? [statement, ...own] : own;
}

/** What is to be run of an operation: `shape` says for which variables it holds. */
export function makePlan(
  view: RoleView,
  checked: CheckedOperation,
  variables: Variables,
  options: CompileOptions,
): { readonly plan: Plan; readonly shape: Shape } {
  const compilation = new Compilation(checked.fragments, variables, options, compileField);
  const { operation } = checked;
  const roots = [...compilation.fields(operation.selectionSet.selections)];
  const parts =
    operation.operation === OperationTypeNode.MUTATION
      ? planMutation(compilation, view, checked, roots)
      : planQuery(compilation, view, checked, roots);
  const { shape, ...conditions } = compilation.finish();
  return {
    plan: { ...parts, ...conditions, statementNames: undefined, isKnown: false, answerBytes: 0 },
    shape,
  };
}

type Roots = readonly (readonly [string, readonly FieldNode[]])[];
type Parts = Pick<Plan, 'fields' | 'statement' | 'program' | 'extended' | 'introspection'>;

/** Splits the root fields between Postgres and Grafast. */
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
  const statement = tables.length > 0 ? compileStatement(compilation, view, tables) : undefined;
  const introspection = rest.length > 0 ? makeIntrospection(checked, rest) : undefined;
  const others = { statement, introspection };
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
  return { fields, statement: undefined, program, extended, introspection: undefined };
}
