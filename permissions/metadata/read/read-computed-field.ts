import type { Report } from '../../diagnostics.ts';
import type { RawComputedField } from '../raw.ts';
import type { RawEntry } from '../yaml/node.ts';
import { fieldOf, keyOf, nameOf, requiredFieldOf } from '../yaml/raw-access.ts';
import { readRights } from './read-function.ts';
import { readTableName } from './read-table-name.ts';

/** One entry of `computed_fields`; a function whose name could mean several is reported. */
export function readComputedField(entry: RawEntry, report: Report): RawComputedField | undefined {
  const called = readTableName(requiredFieldOf(entry.value, 'function'), report, 'function');
  if (!called) return undefined;
  const name = (key: string) => {
    const node = fieldOf(entry.value, key);
    return node && nameOf(node);
  };
  return {
    ...keyOf(entry),
    function: called,
    tableArgument: name('table_argument'),
    sessionArgument: name('session_argument'),
    rights: readRights(fieldOf(entry.value, 'rights')),
    description: name('description')?.name,
  };
}
