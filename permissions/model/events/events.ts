import type { Catalog } from '../../catalog/catalog.ts';
import type { CatalogTable } from '../../catalog/types.ts';
import type { Report } from '../../diagnostics.ts';
import type { RawTable } from '../../metadata/schemas/tables/table.ts';
import type { RawEventTrigger } from '../../metadata/schemas/webhooks/event-triggers.ts';
import type { Schedule } from '../../metadata/schemas/webhooks/schedules.ts';
import type { RawName } from '../../metadata/yaml/node.ts';
import { didYouMean } from '../../text/nearest.ts';
import type { EventTrigger } from '../../types/events.ts';
import type { TrackedTable } from '../tables/tables.ts';

/** Returns the event triggers of all tables, by name. Reports unknown columns and duplicate names. */
export function makeEvents(
  tracked: readonly TrackedTable[],
  tables: Catalog,
  report: Report,
): ReadonlyMap<string, EventTrigger> {
  const events = new Map<string, EventTrigger>();
  for (const { raw, catalog } of tracked) {
    if (raw.events.length > 0) {
      reportView(raw, catalog, report);
      reportForeign(raw, catalog, tables, report);
    }
    for (const one of raw.events) {
      const other = events.get(one.name);
      if (other) reportTaken(one, other, report);
      else events.set(one.name, makeEvent(one, catalog, report));
    }
  }
  return events;
}

export function makeSchedules(schedules: readonly Schedule[]): ReadonlyMap<string, Schedule> {
  return new Map(schedules.map((schedule) => [schedule.name, schedule]));
}

/**
 * Reports event triggers on a view. The rows of a view change when rows of other tables change, but such a change fires
 * no trigger of the view.
 */
function reportView(raw: RawTable, { schema, name, view }: CatalogTable, report: Report): void {
  if (!view) return;
  const message = `${schema}.${name} is a view, whose rows no event trigger can watch`;
  report.error('RG_EVENT', raw.events[0]?.position, message, 'watch the tables below it');
}

/**
 * Reports event triggers on a table that has a foreign table below it. Postgres refuses every write that would have to
 * pass rows of the foreign table to a trigger.
 */
function reportForeign(raw: RawTable, table: CatalogTable, catalog: Catalog, report: Report): void {
  const below = table.descendants.flatMap((key) => catalog.tables.get(key) ?? []);
  const foreign = below.find(({ kind }) => kind === 'f');
  if (!foreign) return;
  const message = `${foreign.schema}.${foreign.name}, below ${table.schema}.${table.name}, is a foreign table, whose changes no event trigger sees`;
  report.error('RG_EVENT', raw.events[0]?.position, message, 'detach it, or leave "events" out');
}

function reportTaken(raw: RawEventTrigger, other: EventTrigger, report: Report): void {
  const { file, line } = other.position;
  const message = `an event trigger "${raw.name}" is in ${file}:${line} already`;
  report.error('RG_EVENT', raw.position, message, 'name it after its table');
}

function makeEvent(raw: RawEventTrigger, table: CatalogTable, report: Report): EventTrigger {
  for (const list of [raw.columns, raw.payload, raw.orderBy]) {
    reportUnknown(list ?? [], table, report);
  }
  reportUnchangeable(raw, table, report);
  const names = (list: readonly RawName[] | undefined) => list?.map(({ name }) => name);
  return {
    name: raw.name,
    table: { schema: table.schema, name: table.name },
    operations: new Set(raw.operations),
    columns: names(raw.columns),
    payload: names(raw.payload),
    webhook: raw.webhook,
    headers: raw.headers,
    retry: raw.retry,
    orderKey: names(raw.orderBy),
    position: raw.position,
  };
}

function reportUnknown(names: readonly RawName[], table: CatalogTable, report: Report): void {
  const label = `${table.schema}.${table.name}`;
  for (const { name, position } of names) {
    const column = table.columns.find((one) => one.name === name);
    if (!column) {
      const near = didYouMean(
        name,
        table.columns.map((one) => one.name),
      );
      const message = `column "${name}" does not exist on ${label}`;
      report.error('RG_UNKNOWN_COLUMN', position, message, near);
    } else if (column.virtual) {
      const message = `column "${name}" of ${label} is computed as it is read, which no trigger is shown`;
      report.error('RG_EVENT', position, message, 'leave it out, or make it a stored one');
    }
  }
}

/**
 * Reports an event trigger for updates of only `generated always` identities. Postgres never updates such columns, so
 * the trigger would never fire.
 */
function reportUnchangeable(raw: RawEventTrigger, table: CatalogTable, report: Report): void {
  const listened = (raw.columns ?? []).map(({ name }) =>
    table.columns.find((column) => column.name === name),
  );
  const [first] = raw.columns ?? [];
  if (!first || !listened.every((column) => column?.generated && !column.computed)) return;
  const message = 'none of the columns that this trigger listens to can change';
  report.error('RG_EVENT', first.position, message, 'name one that updates write');
}
