import { ident, type SqlText, sql } from '../text/sql-text.ts';
import { commented, stateId } from './desired.ts';
import type { DesiredObject } from './types.ts';

interface PolicyFunction extends Pick<DesiredObject, 'label' | 'position'> {
  readonly name: string;
  /** Its qualified name and the types that it takes. */
  readonly target: SqlText;
  /** All that follows `create function`. */
  readonly body: SqlText;
  /** Who owns the policy views. */
  readonly owner: string;
}

/** A function of schema rowgate_api that reads with the rights of the owner of the policy views. */
export function policyFunction(made: PolicyFunction): DesiredObject {
  const { name, target, body, owner, ...about } = made;
  return commented({
    ...about,
    kind: 'function',
    id: stateId.function(name),
    facts: [owner],
    body,
    target: sql`function ${target}`,
    create: [
      sql`create function ${body}`,
      sql`revoke all on function ${target} from public`,
      sql`alter function ${target} owner to ${ident(owner)}`,
    ],
  });
}
