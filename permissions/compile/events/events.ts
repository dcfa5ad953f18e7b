import type { Catalog } from '../../catalog/catalog.ts';
import type { CatalogTable, CatalogType } from '../../catalog/types.ts';
import { ownerTriggerFunction } from '../../objects/functions/function.ts';
import { type DesiredObject, label, type Relation } from '../../objects/state/state-object.ts';
import { triggerObject } from '../../objects/tables/trigger.ts';
import { eventFunctionName, eventTriggerName } from '../../text/object-names.ts';
import { type SqlText, sql } from '../../text/sql-text.ts';
import type { EventTrigger } from '../../types/events.ts';
import type { Model } from '../../types/model.ts';
import type { TableModel } from '../../types/tables.ts';
import { captureBody, type EventOperation, eventOperations } from './event-capture.ts';

/**
 * Returns the function that captures the events of a table, and one trigger per operation on the table and on each
 * table below it.
 */
export function eventObjects(
  model: Model,
  table: TableModel,
  catalog: Catalog,
): readonly DesiredObject[] {
  const triggers = [...model.events.values()].filter(
    (one) => one.table.schema === table.schema && one.table.name === table.name,
  );
  const [first] = triggers;
  if (!first) return [];
  const found = catalog.tables.get(table.key);
  const captured = found ? triggers.map((trigger) => ofOwnColumns(trigger, found)) : triggers;
  const traits = {
    isPartitioned: found?.kind === 'p',
    holdsJson: found !== undefined && holdsJson(found, catalog),
  };
  const body = captureBody(table, captured, traits);
  const name = eventFunctionName(label(table) + body.text);
  const below = (found?.descendants ?? []).flatMap((key) => catalog.tables.get(key) ?? []);
  const operations = eventOperations.filter((operation) =>
    triggers.some((trigger) => trigger.operations.has(operation)),
  );
  const trigger = (operation: EventOperation, on: Relation, inherited: string | undefined) =>
    triggerObject({
      name: eventTriggerName(operation, inherited),
      on,
      fires: `after statement ${operation}`,
      function: name,
      isBelow: inherited !== undefined,
      position: first.position,
    });
  return [
    functionObject(name, body, table, first),
    ...operations.flatMap((operation) => [
      trigger(operation, table, undefined),
      ...below.map((relation) => trigger(operation, relation, name)),
    ]),
  ];
}

function holdsJson({ columns }: CatalogTable, catalog: Catalog): boolean {
  return columns.some(({ type }) => mayHoldJson(catalog.type(type), catalog));
}

/**
 * Returns whether values of a type may contain json. A composite type always counts, because the catalog does not list
 * its attributes.
 */
function mayHoldJson(type: CatalogType, catalog: Catalog): boolean {
  const base = catalog.base(type);
  if (base.element !== 0) return mayHoldJson(catalog.type(base.element), catalog);
  return base.kind === 'c' || (base.schema === 'pg_catalog' && base.name === 'json');
}

/**
 * Omits columns that a trigger cannot capture: columns that only inheriting tables have, and virtual columns, which are
 * null in the rows that triggers receive.
 */
function ofOwnColumns(
  trigger: EventTrigger,
  { kind, columns, descendants }: CatalogTable,
): EventTrigger {
  const inherits = kind !== 'p' && descendants.length > 0;
  const stored = columns.filter((column) => !column.virtual).map(({ name }) => name);
  if (!inherits && stored.length === columns.length) return trigger;
  return { ...trigger, columns: trigger.columns ?? stored, payload: trigger.payload ?? stored };
}

/**
 * Settings of the capture function. With these settings, a value gives the same text and the same sort key in every
 * session.
 */
const written = sql`set timezone = 'UTC' set extra_float_digits = 1 set bytea_output = 'hex' set intervalstyle = 'postgres'`;

/**
 * Makes the capture function. The function runs with the rights of its owner, because the role that writes rows has no
 * rights on the table of events. It forbids nested loops: Postgres may reuse a plan made for one row when the next
 * statement changes a thousand rows, and a nested loop would be slow then.
 */
function functionObject(
  name: string,
  body: SqlText,
  table: TableModel,
  { position }: EventTrigger,
): DesiredObject {
  return ownerTriggerFunction({
    name,
    label: `event function ${name} of ${label(table)}`,
    body,
    settings: sql`set enable_nestloop = off ${written}`,
    position,
  });
}
