import { literal, type SqlText, sql } from '../../text/sql-text.ts';
import type { FunctionRow } from '../state/function-row.ts';
import { foundHashed, hashed } from '../state/rendered-hash.ts';
import { type DesiredObject, desired, type FoundObject } from '../state/state-object.ts';

/** A function in the schema rowgate_api that does not depend on single rules. */
export interface ApiFunction {
  /** Signature in the form in which Postgres prints it, e.g. `login_variable(text)`. */
  readonly signature: string;
  readonly target: SqlText;
  readonly head: SqlText;
  readonly returns: SqlText;
  /** The clauses of `create function` for language, volatility, rights and settings. */
  readonly traits: SqlText;
  readonly body: SqlText;
  readonly comment: string;
}

const idOf = (signature: string) => JSON.stringify(['api function', signature]);

/**
 * Makes the desired object of such a function. Apply replaces the function in place: policies and user-defined column
 * defaults may depend on it, so it cannot be dropped.
 */
export function apiFunctionObject(called: ApiFunction): DesiredObject {
  const { signature, target, head, returns, traits, body, comment } = called;
  const definition = sql`${head} returns ${returns}
  ${traits}
  as ${literal(body.text)}`;
  const object = hashed({
    kind: 'api function',
    id: idOf(signature),
    label: `function rowgate_api.${signature}`,
    facts: [],
    body: definition,
    target: sql`function ${target}`,
    create: [
      sql`create or replace function ${definition}`,
      sql`revoke all on function ${target} from public`,
    ],
    note: comment,
  });
  const { create, annotate } = object;
  return desired({ ...object, create, annotate, alter: create });
}

/**
 * Makes the found object of such a function. Apply never drops the function, even when no rule uses it, because
 * user-defined column defaults may call it.
 */
export function foundApiFunction(row: FunctionRow): FoundObject {
  return foundHashed(row, [], {
    kind: 'api function',
    id: idOf(row.signature),
    label: `function rowgate_api.${row.signature}`,
    drop: [],
  });
}
