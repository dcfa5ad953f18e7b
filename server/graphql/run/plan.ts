import type { FieldNode } from 'postgraphile/graphql';
import { Compilation, type CompileOptions } from '../compile/compilation.ts';
import { compileField } from '../compile/row-field.ts';
import type { Shape } from '../compile/shape.ts';
import { type CompiledStatement, compileStatement, type TableField } from '../compile/statement.ts';
import type { CheckedOperation } from '../validate/document.ts';
import type { Variables } from '../validate/variables.ts';
import type { RoleView } from '../view/role-view.ts';
import { makeRemainder, type Remainder } from './remainder.ts';

/** Where the value of a root field comes from. */
export type RootValue =
  | { readonly kind: 'typename'; readonly text: string }
  /** Column of the statement's row. */
  | { readonly kind: 'table'; readonly column: number }
  | { readonly kind: 'remainder' };

/** How an operation is run for one shape of its variables. */
export interface Plan {
  /** Response keys in order. */
  readonly fields: readonly (readonly [string, RootValue])[];
  readonly statement: CompiledStatement | undefined;
  readonly remainder: Remainder | undefined;
  /** Of the prepared statement, once the plan is run again. */
  statementName: string | undefined;
  /** Whether it was run before. */
  isKnown: boolean;
}

/** Splits the root fields between Postgres and Grafast; `shape` says for which variables the plan holds. */
export function makePlan(
  view: RoleView,
  checked: CheckedOperation,
  variables: Variables,
  options: CompileOptions,
): { readonly plan: Plan; readonly shape: Shape } {
  const compilation = new Compilation(checked.fragments, variables, options, compileField);
  const tables: TableField[] = [];
  const rest: FieldNode[] = [];
  const roots = compilation.fields(checked.operation.selectionSet.selections);
  const fields = [...roots].map(([key, nodes]): readonly [string, RootValue] => {
    const name = nodes[0]?.name.value ?? '';
    if (name === '__typename') return [key, { kind: 'typename', text: 'query_root' }];
    if (view.roots.has(name)) {
      tables.push({ key, nodes });
      return [key, { kind: 'table', column: tables.length - 1 }];
    }
    rest.push(...nodes);
    return [key, { kind: 'remainder' }];
  });
  const statement = tables.length > 0 ? compileStatement(compilation, view, tables) : undefined;
  const remainder = rest.length > 0 ? makeRemainder(checked, rest) : undefined;
  return {
    plan: { fields, statement, remainder, statementName: undefined, isKnown: false },
    shape: compilation.shape,
  };
}
