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
 * Makes PostGraphile's registry for one role. Tables that the role reads through a view come from that view. Rows are
 * found only by keys that the role reads. Columns that a mask hides in some rows are nullable.
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
  // PostGraphile's types assume that every resource has columns, but functions have none.
  return made as unknown as GraphileBuild.BuildInput['pgRegistry'];
}

/**
 * Lets relationships find a single row by a key that the role does not see. If the key were a unique key of the
 * resource, PostGraphile would order pages by it and reveal its values in cursors.
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

/** Makes codecs for one role: row types with the columns that the role reads, and types made of them. */
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
    // The codec is registered before its parts are made. Types can refer to each other in cycles, and the recursion
    // would otherwise never end.
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

/** Returns whether a column is never null, and whether PostGraphile must not read the column for its own purposes. */
function accessOf({ readable, select }: TableView, name: string, notNull: boolean) {
  return {
    notNull: notNull && !select.columnMasks.has(name),
    restrictedAccess: !readable.has(name),
  };
}

/** Returns an SQL condition that is true when a join has found a row. It uses only columns that the role may read. */
function isRow(table: TableView, alias: SQL): SQL {
  const { readable, shown, model } = table;
  const column = [...readable.values()].find(({ column: name, notNull }) => {
    return notNull || model.primaryKey.includes(name);
  });
  if (column) return sql`(${alias}.${sql.identifier(column.column)} is not null)::text`;
  const all = [...shown.values()].map((one) => sql`${alias}.${sql.identifier(one.column)}`);
  // Without a readable key, no join finds rows of this table, so the condition is never used.
  const hasKey = model.uniqueConstraints.some(({ columns }) => isFound(table, columns));
  if (all.length === 0 || !hasKey) return sql`'true'::text`;
  return sql`(pg_catalog.num_nonnulls(${sql.join(all, ', ')}) operator(pg_catalog.>) 0)::text`;
}
