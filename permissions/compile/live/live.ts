import type { Catalog } from '../../catalog/catalog.ts';
import { ownerTriggerFunction } from '../../objects/functions/function.ts';
import { type DesiredObject, label, type Relation } from '../../objects/state/state-object.ts';
import { triggerObject } from '../../objects/tables/trigger.ts';
import { liveFunctionName, liveTriggerName } from '../../text/object-names.ts';
import { sql } from '../../text/sql-text.ts';
import type { TableModel } from '../../types/tables.ts';
import { recordBody } from './record-changes.ts';

const operations = ['insert', 'update', 'delete', 'truncate'] as const;

/**
 * Returns the function that records the changes of a live table, and one trigger per operation on the table and on each
 * table below it. A trigger of a parent does not fire for a statement that names a partition.
 */
export function liveObjects(table: TableModel, catalog: Catalog): readonly DesiredObject[] {
  const { live, position } = table;
  if (!live) return [];
  const body = recordBody(table, live);
  const name = liveFunctionName(label(table) + body.text);
  const found = catalog.tables.get(table.key);
  const below = (found?.descendants ?? []).flatMap((key) => catalog.tables.get(key) ?? []);
  const triggers = (on: Relation, inherited: string | undefined) =>
    operations.map((operation) =>
      triggerObject({
        name: liveTriggerName(operation, inherited),
        on,
        fires: `after statement ${operation}`,
        function: name,
        isAlways: true,
        isBelow: inherited !== undefined,
        position,
      }),
    );
  return [
    ownerTriggerFunction({
      name,
      label: `live function ${name} of ${label(table)}`,
      body,
      settings: readsSettings(table, catalog) ? written : sql``,
      position,
    }),
    ...triggers(table, undefined),
    ...below.flatMap((relation) => triggers(relation, name)),
  ];
}

/** With these settings, a value gives the same text in every session. */
const written = sql`set timezone = 'UTC' set datestyle = 'ISO, MDY' set extra_float_digits = 1 set bytea_output = 'hex' set intervalstyle = 'postgres'`;

/** Returns whether the text of a primary key may depend on settings. Most keys have types whose text never does. */
function readsSettings({ key, primaryKey }: TableModel, catalog: Catalog): boolean {
  const columns = catalog.tables.get(key)?.columns ?? [];
  return columns.some(({ name, type }) => {
    if (!primaryKey.includes(name)) return false;
    const base = catalog.base(catalog.type(type));
    return base.kind !== 'e' && !(base.schema === 'pg_catalog' && constantTexts.has(base.name));
  });
}

const constantTexts = new Set(['bool', 'int2', 'int4', 'int8', 'numeric', 'uuid', 'text']);
for (const type of ['varchar', 'bpchar', 'name']) constantTexts.add(type);
