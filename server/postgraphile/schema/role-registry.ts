import {
  makeRegistry,
  type PgCodec,
  type PgResource,
  type PgResourceOptions,
  type PgResourceUnique,
} from 'postgraphile/@dataplan/pg';
import { type SQL, sql } from 'postgraphile/@dataplan/pg/pg-sql2';
import type {} from 'postgraphile/graphile-build';
import type {} from 'postgraphile/graphile-build-pg';
import type { TableView } from '../../graphql/schema/view/table-view.ts';
import type { RegistryConfig } from './gather.ts';
import { isFound } from './role-behavior-plugin.ts';
import type { RoleObjects } from './role-objects.ts';

/**
 * PostGraphile's registry as one role may use it: tables that it reads by a view come from there, rows are found by keys
 * that it reads alone, and what is null in some rows alone may be null.
 */
export function makeRoleRegistry(
  config: RegistryConfig,
  objects: RoleObjects,
): GraphileBuild.BuildInput['pgRegistry'] {
  const codecs = new RoleCodecs(objects);
  const resources: readonly (readonly [string, PgResourceOptions])[] = Object.entries(
    config.pgResources,
  );
  const relations = Object.entries(config.pgRelations).map(([name, ofCodec]) => {
    const mapped = Object.entries(ofCodec ?? {}).map(([key, relation]) => [
      key,
      { ...relation, localCodec: codecs.of(relation.localCodec) },
    ]);
    return [name, Object.fromEntries(mapped)];
  });
  const made = makeRegistry({
    pgExecutors: config.pgExecutors,
    pgCodecs: mapValues(Object.entries<PgCodec>(config.pgCodecs), (codec) => codecs.of(codec)),
    pgResources: mapValues(resources, (options) => resourceOf(options, objects, codecs)),
    pgRelations: Object.fromEntries(relations),
  });
  for (const [name, { uniques, parameters }] of resources) {
    const resource = made.pgResources[name];
    if (resource && uniques && !parameters) allowHiddenKeys(resource, uniques);
  }
  // PostGraphile's types take every resource for one with columns, and functions have none.
  return made as unknown as GraphileBuild.BuildInput['pgRegistry'];
}

/**
 * Relationships may lead to one row by a key that the role does not see. As a key of the resource it would order pages,
 * and stand in their cursors.
 */
function allowHiddenKeys(resource: PgResource, uniques: readonly PgResourceUnique[]): void {
  const hidden = uniques.filter(
    ({ attributes }) =>
      !resource.uniques.some((one) => one.attributes.join() === attributes.join()),
  );
  if (hidden.length === 0) return;
  const get: PgResource['get'] = resource.get.bind(resource);
  const find = ((spec, internal) => resource.find(spec).single(internal)) as PgResource['get'];
  resource.get = (spec, internal) => {
    const isHidden = hidden.some(({ attributes }) => attributes.every((name) => name in spec));
    return isHidden ? find(spec, internal) : get(spec, internal);
  };
}

function mapValues<T>(
  entries: readonly (readonly [string, T])[],
  change: (value: T) => T,
): Record<string, T> {
  return Object.fromEntries(entries.map(([name, value]) => [name, change(value)]));
}

function resourceOf(
  options: PgResourceOptions,
  objects: RoleObjects,
  codecs: RoleCodecs,
): PgResourceOptions {
  const { parameters } = options;
  const codec = codecs.of(options.codec);
  if (parameters) {
    const mapped = parameters.map((one) => ({ ...one, codec: codecs.of(one.codec) }));
    return { ...options, codec, parameters: mapped };
  }
  const table = objects.tableOf(codec);
  if (!table) return { ...options, codec };
  const uniques = options.uniques?.filter(({ attributes }) => isFound(table, attributes));
  const { rows } = table;
  const from = rows ? sql.identifier(rows.schema, rows.name) : options.from;
  return { ...options, codec, from, ...(uniques && { uniques }) };
}

/** The types of the database with columns as a role reads them, and those that are made of them. */
class RoleCodecs {
  readonly #objects: RoleObjects;
  readonly #made = new Map<PgCodec, PgCodec>();

  constructor(objects: RoleObjects) {
    this.#objects = objects;
  }

  of(codec: PgCodec): PgCodec {
    const known = this.#made.get(codec);
    if (known) return known;
    const { attributes, arrayOfCodec, domainOfCodec, rangeOfCodec } = codec;
    if (!attributes && !arrayOfCodec && !domainOfCodec && !rangeOfCodec) return codec;
    const parts: Record<string, unknown> = { ...codec };
    const made = parts as unknown as PgCodec;
    // First of all: types may be made of each other in circles.
    this.#made.set(codec, made);
    if (arrayOfCodec) parts.arrayOfCodec = this.of(arrayOfCodec);
    if (domainOfCodec) parts.domainOfCodec = this.of(domainOfCodec);
    if (rangeOfCodec) parts.rangeOfCodec = this.of(rangeOfCodec);
    const table = attributes && this.#objects.tableOf(codec);
    if (attributes) {
      const mapped = Object.entries(attributes).map(([name, one]) => {
        const own = { ...one, codec: this.of(one.codec) };
        return [name, table ? { ...own, ...accessOf(table, name, one.notNull === true) } : own];
      });
      parts.attributes = Object.fromEntries(mapped);
    }
    if (table) parts.notNullExpression = (alias: SQL) => isRow(table, alias);
    return made;
  }
}

/** Whether PostGraphile may read a column for purposes of its own, and whether it is null nowhere. */
function accessOf({ readable, select }: TableView, name: string, notNull: boolean) {
  return {
    notNull: notNull && !select.columnMasks.has(name),
    restrictedAccess: !readable.has(name),
  };
}

/** Whether there is a row at all, by columns that the role reads: a join may have found none. */
function isRow(table: TableView, alias: SQL): SQL {
  const { readable, shown, model } = table;
  const column = [...readable.values()].find(({ column: name, notNull }) => {
    return notNull || model.primaryKey.includes(name);
  });
  if (column) return sql`(${alias}.${sql.identifier(column.column)} is not null)::text`;
  const all = [...shown.values()].map((one) => sql`${alias}.${sql.identifier(one.column)}`);
  // No join leads to rows of which no key is read.
  const hasKey = model.uniqueConstraints.some(({ columns }) => isFound(table, columns));
  if (all.length === 0 || !hasKey) return sql`'true'::text`;
  return sql`(pg_catalog.num_nonnulls(${sql.join(all, ', ')}) operator(pg_catalog.>) 0)::text`;
}
