import { policySchema } from '../../text/object-names.ts';
import { qualified, type SqlText, sql } from '../../text/sql-text.ts';
import { dropNamedFunction } from '../state/drop-named.ts';
import type { FunctionRow } from '../state/function-row.ts';
import { foundHashed, hashed } from '../state/rendered-hash.ts';
import type { DesiredObject, FoundObject } from '../state/state-object.ts';

/** A function in the schema rowgate_policy through which rules call a user-defined function. */
export interface Call {
  readonly name: string;
  readonly label: string;
  /** SQL for the types of the parameters. */
  readonly takes: SqlText;
  /** The text of `create function` after the name. */
  readonly body: SqlText;
  readonly note: string;
}

const idOf = (name: string) => JSON.stringify(['call', name]);

export function callObject({ name, label, takes, body, note }: Call): DesiredObject {
  const called = qualified({ schema: policySchema, name });
  const target = sql`function ${called}(${takes})`;
  const definition = sql`${called}${body}`;
  return hashed({
    kind: 'call',
    id: idOf(name),
    label,
    facts: [],
    body: definition,
    target,
    create: [sql`create function ${definition}`, sql`revoke all on ${target} from public`],
    note,
  });
}

export function foundCall(row: FunctionRow): FoundObject {
  return foundHashed(row, [], {
    kind: 'call',
    id: idOf(row.name),
    label: `call ${row.name}`,
    drop: [dropNamedFunction(row.target)],
  });
}
