import type pg from 'pg';
import { missingVariableState, type TableModel } from '../../../permissions/index.ts';
import { CallerError } from '../../caller/authenticate.ts';
import type { WriteStep } from '../compile/write/program.ts';
import { RequestError } from '../request-error.ts';
import type { RoleView } from '../schema/view/role-view.ts';

/** The part of a mutation that failed: a step, or the commit, which checks deferred constraints. */
export interface FailedStep extends Pick<WriteStep, 'path' | 'returnsRows'> {
  readonly kind: WriteStep['kind'] | 'commit';
  readonly table: WriteStep['table'] | undefined;
}

/** Converts a failed rule or constraint to an error with Hasura's message; returns undefined for any other error. */
export function toWriteError(
  error: pg.DatabaseError,
  view: RoleView,
  step: FailedStep,
): RequestError | CallerError | undefined {
  const { code = '', routine } = error;
  // The message may be in any language, but the name of the C function is not translated.
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
    // The rows that prevent a delete are rows of other tables, and no argument of the field refers to them. So the path
    // is the whole operation, as in Hasura.
    step.kind === 'delete' ? '$' : step.path,
    error,
  );
}

const CHECK_FAILED = 'check constraint of an insert/update permission has failed';

function checkFailed(cause: unknown, { kind, table, path, returnsRows }: FailedStep): RequestError {
  // With `returning`, Postgres also checks the select rule, and does not report which rule has failed.
  const way = kind === 'update' ? 'use _set alone and ask' : 'ask';
  // For an update through a view, Postgres checks the select rule even without `returning`.
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

/** The objects that an error is about. A name that the role may not know is undefined. */
interface Place {
  /** The table that the statement writes. Undefined at commit. */
  readonly own: string | undefined;
  readonly table: string | undefined;
  readonly column: string | undefined;
  readonly constraint: string | undefined;
  /** Whether the statement has written the referencing row of a foreign key. */
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
