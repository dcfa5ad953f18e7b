import { OperationTypeNode } from 'postgraphile/graphql';
import type { BoundValue } from '../../db/requests/wire/message-writer.ts';
import { Compilation, type CompileOptions } from '../compile/compilation.ts';
import { compileField } from '../compile/row-field.ts';
import { RequestError } from '../request-error.ts';
import type { RoleView } from '../schema/view/role-view.ts';
import type { CheckedOperation } from '../validate/document.ts';
import type { Variables } from '../validate/variables.ts';
import { makePlan } from './plan.ts';

/** The statement of one root field. */
export interface FieldStatement {
  /** Response key of the field. */
  readonly field: string;
  readonly text: string;
  readonly values: readonly BoundValue[];
}

/**
 * Compiles each root field of a query that reads tables into a statement of its own. A request runs them as one.
 * @throws RequestError when the operation is no query
 */
export function fieldStatements(
  view: RoleView,
  checked: CheckedOperation,
  variables: Variables,
  options: CompileOptions,
): readonly FieldStatement[] {
  const { operation, fragments } = checked;
  if (operation.operation !== OperationTypeNode.QUERY)
    throw new RequestError('bad-request', 'only queries can be explained');
  const all = new Compilation(fragments, variables, options, compileField);
  return [...all.fields(operation.selectionSet.selections)].flatMap(([field, selections]) => {
    const one = { ...operation, selectionSet: { ...operation.selectionSet, selections } };
    const { statement } = makePlan(view, { ...checked, operation: one }, variables, options).plan;
    if (!statement) return [];
    const values = statement.parameters.map((read) => read(variables, []));
    return [{ field, text: statement.text, values }];
  });
}
