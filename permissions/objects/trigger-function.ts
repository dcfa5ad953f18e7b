import type { Position } from '../diagnostics.ts';
import { policySchema } from '../text/object-names.ts';
import { literal, qualified, type SqlText, sql } from '../text/sql-text.ts';
import { commented, stateId } from './desired.ts';
import type { DesiredObject } from './types.ts';

/** A function that a trigger calls, with the rights of whoever sets it off. */
export interface TriggerFunction {
  /** In the policy schema. */
  readonly name: string;
  readonly label: string;
  readonly body: SqlText;
  /** `set …` beyond the search path. */
  readonly settings?: SqlText | undefined;
  readonly position?: Position;
  readonly note?: string;
}

export function triggerFunction({ name, body, settings, ...told }: TriggerFunction): DesiredObject {
  const target = sql`function ${qualified({ schema: policySchema, name })}()`;
  const path = sql`set search_path = pg_catalog, pg_temp`;
  const set = settings ? sql`${path} ${settings}` : path;
  return commented({
    ...told,
    kind: 'function',
    id: stateId.function(name),
    facts: [],
    body: settings ? sql`${settings} as ${body}` : body,
    target,
    create: [
      sql`create ${target} returns trigger language plpgsql ${set} as ${literal(body.text)}`,
      sql`revoke all on ${target} from public`,
    ],
  });
}
