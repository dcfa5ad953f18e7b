import type { Position } from '../../diagnostics.ts';
import {
  isEventFunction,
  isLiveFunction,
  isOwnerCall,
  policySchema,
  upsertFunction,
} from '../../text/object-names.ts';
import { ident, literal, qualified, type SqlText, sql } from '../../text/sql-text.ts';
import { dropNamedFunction } from '../state/drop-named.ts';
import type { FunctionRow } from '../state/function-row.ts';
import { foundHashed, hashed } from '../state/rendered-hash.ts';
import type { DesiredObject, FoundObject } from '../state/state-object.ts';

/**
 * Returns the id of a function. The name is enough, because no two schemas of Rowgate have functions of the same name.
 */
export const functionId = (name: string) => JSON.stringify(['function', name]);

/** A function in the schema rowgate_policy that a trigger calls. */
export interface TriggerFunction {
  readonly name: string;
  readonly label: string;
  readonly body: SqlText;
  /** Further `set …` clauses, besides the search path. */
  readonly settings?: SqlText | undefined;
  readonly position?: Position;
  readonly note?: string;
}

const searchPath = sql`set search_path = pg_catalog, pg_temp`;

/** Makes a trigger function that runs with the rights of the role that fires the trigger. */
export function triggerFunction(made: TriggerFunction): DesiredObject {
  const { name, body, settings, ...about } = made;
  const target = sql`function ${qualified({ schema: policySchema, name })}()`;
  const set = settings ? sql`${searchPath} ${settings}` : searchPath;
  return hashed({
    ...about,
    kind: 'function',
    id: functionId(name),
    facts: [],
    body: settings ? sql`${settings} as ${body}` : body,
    target,
    create: [
      sql`create ${target} returns trigger language plpgsql ${set} as ${literal(body.text)}`,
      sql`revoke all on ${target} from public`,
    ],
  });
}

/** Makes a trigger function that runs with the rights of the owner of the schema rowgate. */
export function ownerTriggerFunction(
  made: TriggerFunction & { readonly settings: SqlText },
): DesiredObject {
  const { name, body, settings, ...about } = made;
  const target = sql`function ${qualified({ schema: policySchema, name })}()`;
  return hashed({
    ...about,
    kind: 'function',
    id: functionId(name),
    facts: ['owner'],
    body,
    target,
    create: [
      sql`create ${target} returns trigger language plpgsql security definer ${searchPath} ${settings} as ${literal(body.text)}`,
      sql`revoke all on ${target} from public`,
      handOver(target),
    ],
  });
}

/**
 * Returns SQL that makes the owner of the schema rowgate the owner of an object. Otherwise it would belong to the role
 * that runs apply. A function of a superuser would have more rights than it needs, and later only a superuser could
 * name it.
 * @param target the object in the syntax of `alter`, e.g. `schema "s"`
 */
export function handOver(target: SqlText): SqlText {
  const statement = literal(`alter ${target.text.replaceAll('%', '%%')} owner to %I`);
  return sql`do ${literal(
    sql`begin
  execute pg_catalog.format(${statement}, (select r.rolname from pg_catalog.pg_namespace n join pg_catalog.pg_roles r on r.oid operator(pg_catalog.=) n.nspowner where n.nspname operator(pg_catalog.=) 'rowgate'));
end`.text,
  )}`;
}

interface PolicyFunction extends Pick<DesiredObject, 'label' | 'position'> {
  readonly name: string;
  /** The qualified name, followed by the parameter types when several functions may have the name. */
  readonly target: SqlText;
  /** Everything that follows `create function`. */
  readonly body: SqlText;
  /** Owner of the policy views. */
  readonly owner: string;
}

/** Makes a function in the schema rowgate_api that reads with the rights of the owner of the policy views. */
export function policyFunction(made: PolicyFunction): DesiredObject {
  const { name, target, body, owner, ...about } = made;
  return hashed({
    ...about,
    kind: 'function',
    id: functionId(name),
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

export function foundFunction(row: FunctionRow): FoundObject {
  const { schema, name, owner } = row;
  const common = { kind: 'function', id: functionId(name) } as const;
  const upsert = upsertFunction(schema, name);
  if (upsert || isOwnerCall(schema, name)) {
    const label = upsert ? `upsert ${upsert} ${name}` : `call ${name}`;
    return foundHashed(row, [owner], { ...common, label, drop: [dropNamedFunction(row.target)] });
  }
  const isForEvents = isEventFunction(schema, name);
  const isLive = isLiveFunction(schema, name);
  return foundHashed(row, isForEvents || isLive ? [row.isOurs ? 'owner' : owner] : [], {
    ...common,
    label: `${isForEvents ? 'event' : isLive ? 'live' : 'preset'} function ${name}`,
    drop: [sql`drop function ${qualified({ schema: policySchema, name })}()`],
  });
}
