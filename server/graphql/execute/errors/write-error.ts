import type pg from 'pg';
import { missingVariableState, type TableModel } from '../../../../permissions/index.ts';
import { CallerError } from '../../../caller/authenticate.ts';
import type { WriteStep } from '../../compile/write/program.ts';
import { RequestError } from '../../request-error.ts';
import type { RoleView } from '../../schema/view/role-view.ts';

/** What was being done: a step of a mutation, or its commit, when deferred constraints are looked at. */
export interface FailedStep extends Pick<WriteStep, 'path' | 'returnsRows'> {
  readonly kind: WriteStep['kind'] | 'commit';
  readonly table: WriteStep['table'] | undefined;
}

/** What a statement that writes has failed with: in Hasura's words where it is about a rule or a constraint. */
export function toWriteError(
  error: pg.DatabaseError,
  view: RoleView,
  step: FailedStep,
): RequestError | CallerError | undefined {
  const { code = '', routine } = error;
  // The text may be in any language; the function that raises it is not.
  if (['42501', '44000'].includes(code) && routine === 'ExecWithCheckOptions')
    return checkFailed(error, step);
  if (code === missingVariableState) return missingPreset(error);
  if (code === '21000' && step.kind === 'insert') {
    const message = 'two of the objects are for the same row of the table';
    return new RequestError('bad-request', message, step.path, error);
  }
  const violation = VIOLATIONS[code];
  if (!violation) return undefined;
  const message = view.isAdmin ? error.message : violation.describe(place(error, view, step));
  return new RequestError(
    'constraint-violation',
    `${violation.name} violation. ${message}`,
    // What refuses a delete are other rows, which no argument of it means; so in Hasura too.
    step.kind === 'delete' ? '$' : step.path,
    error,
  );
}

const CHECK_FAILED = 'check constraint of an insert/update permission has failed';

function checkFailed(cause: unknown, { kind, table, path, returnsRows }: FailedStep): RequestError {
  // Postgres shows only rows that the select rule lets through, and does not say which rule it was.
  const way = kind === 'update' ? 'use _set alone and ask' : 'ask';
  // No cursor stands on the row of a view, whose update reads what it writes.
  const isBound = kind === 'update' && (table?.writes.size ?? 0) > 0;
  const instead = isBound ? '' : `: then ${way} for affected_rows alone`;
  const or = returnsRows ? `, or the role may not select the row${instead}` : '';
  const where = kind === 'insert' ? path : '$';
  return new RequestError('permission-error', `${CHECK_FAILED}${or}`, where, cause);
}

function missingPreset({ message }: pg.DatabaseError): CallerError {
  const [, header = ''] = /^missing session variable: "([a-z0-9_-]+)"$/.exec(message) ?? [];
  return new CallerError('not-found', `missing session variable: "${header}"`);
}

/** What an error is about; undefined names are none of the role's business. */
interface Place {
  /** The table that the statement writes; none at commit. */
  readonly own: string | undefined;
  readonly table: string | undefined;
  readonly column: string | undefined;
  readonly constraint: string | undefined;
  /** Whether the row that refers to another one is what the statement has written. */
  readonly isReferrer: boolean;
}

function place(
  { schema, table, column, constraint }: pg.DatabaseError,
  view: RoleView,
  step: FailedStep,
): Place {
  const is = ({ model }: { readonly model: TableModel }) =>
    model.schema === schema && model.name === table;
  const seen = [...view.tables.values()].find(is);
  const columns = [seen?.readable, seen?.insert?.columns, seen?.update?.columns].flatMap(
    (known) => [...(known?.values() ?? [])],
  );
  return {
    own: step.table?.model.name,
    table: seen && table,
    column: columns.some((one) => one.column === column) ? column : undefined,
    constraint: seen && constraint,
    isReferrer: step.kind !== 'delete' && step.table !== undefined && is(step.table),
  };
}

interface Violation {
  readonly name: string;
  readonly describe: (place: Place) => string;
}

const FOREIGN_KEY: Violation = {
  name: 'Foreign key',
  describe: ({ own, table, constraint, isReferrer }) => {
    if (table === undefined || constraint === undefined)
      return 'a row is referred to, or refers to one that is not there';
    return isReferrer || own === undefined
      ? `insert or update on table "${table}" violates foreign key constraint "${constraint}"`
      : `update or delete on table "${own}" violates foreign key constraint "${constraint}" on table "${table}"`;
  },
};

const VIOLATIONS: Readonly<Record<string, Violation>> = {
  '23001': FOREIGN_KEY,
  '23502': {
    name: 'Not-NULL',
    describe: ({ table, column }) =>
      table === undefined || column === undefined
        ? 'a column that must have a value would have none'
        : `null value in column "${column}" of relation "${table}" violates not-null constraint`,
  },
  '23503': FOREIGN_KEY,
  '23505': {
    name: 'Uniqueness',
    describe: ({ constraint }) =>
      constraint === undefined
        ? 'there is such a row already'
        : `duplicate key value violates unique constraint "${constraint}"`,
  },
  '23514': {
    name: 'Check constraint',
    describe: ({ table, constraint }) =>
      table === undefined || constraint === undefined
        ? 'a value does not pass a check of its type or table'
        : `new row for relation "${table}" violates check constraint "${constraint}"`,
  },
  '23P01': {
    name: 'Exclusion',
    describe: ({ constraint }) =>
      constraint === undefined
        ? 'a row excludes another one'
        : `conflicting key value violates exclusion constraint "${constraint}"`,
  },
};
