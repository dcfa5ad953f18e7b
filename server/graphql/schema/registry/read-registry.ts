import { PgAggregatesPreset } from '@graphile/pg-aggregates';
import pg from 'pg';
import { type PgCodec, TYPES } from 'postgraphile/@dataplan/pg';
import { makePgService } from 'postgraphile/@dataplan/pg/adaptors/pg';
import { defaultPreset as buildPreset, gather } from 'postgraphile/graphile-build';
import { defaultPreset as pgPreset } from 'postgraphile/graphile-build-pg';
import type { Diagnostic, TableKey, TableModel, TypeName } from '../../../../permissions/index.ts';
import { arrayOf, type ColumnType, columnTypeOf, nameOf, plainType } from './column-type.ts';
import { type EnumType, type EnumTypes, readEnumTypes } from './enum-types.ts';
import { type ExtensionOperators, readExtensionOperators } from './extension-operators.ts';
import { AnyTypeCodecPlugin, ExtensionTypeCodecPlugin } from './type-codec-plugins.ts';
import { UniqueNamesPlugin } from './unique-names-plugin.ts';

export interface RegistryColumn {
  readonly type: ColumnType;
  readonly notNull: boolean;
}

/**
 * The column types and enum values that were read from the database, shared by all roles. PostGraphile reads them in
 * its gather phase.
 */
export interface Registry {
  readonly input: GraphileBuild.BuildInput;
  readonly operators: ExtensionOperators;
  /** Enums by their tables. Enum tables without values are ordinary tables. */
  readonly enums: ReadonlyMap<TableKey, EnumType>;
  /** Problems with the rows of enum tables. */
  readonly findings: readonly Diagnostic[];
  /**
   * Returns a column with its type. Returns undefined for the few types that PostGraphile cannot describe, such as
   * arrays of oidvector; the schema omits such columns.
   */
  column(table: TableModel, column: string): RegistryColumn | undefined;
  /** Returns a type by its name. Values of types that PostGraphile does not know are handled as texts. */
  type(name: TypeName): ColumnType;
}

/** The plugin that lists the suitable types of each aggregate. The dialect uses no other part of the preset. */
export const aggregateSpecsPlugin = findPlugin('PgAggregatesSpecsPlugin');

// PostGraphile's plugins that read relationships, functions, enum tables and roles from the database. Rowgate takes all
// of these from the metadata.
const UNUSED_PLUGINS = [
  'PgEnumTablesPlugin',
  'PgIndexBehaviorsPlugin',
  'PgJWTPlugin',
  'PgLtreePlugin',
  'PgPolymorphismPlugin',
  'PgProceduresPlugin',
  'PgRBACPlugin',
  'PgRefsPlugin',
  'PgRelationsPlugin',
] as const;

/**
 * Reads the schemas of the given tables; any login may do so. `reader` is the Postgres role that reads the rows of enum
 * tables. Without `reader`, the login of the connection reads them.
 */
export async function readRegistry(
  databaseUrl: string,
  given: Iterable<TableModel>,
  reader?: string,
): Promise<Registry> {
  const tables = [...given];
  const schemas = [...new Set(tables.map((table) => table.schema))];
  const input = await gatherSchemas(databaseUrl, schemas);
  const resources = new Map(
    Object.values(input.pgRegistry.pgResources).flatMap((resource) => {
      const origin = resource.extensions?.pg;
      return origin ? [[JSON.stringify([origin.schemaName, origin.name]), resource] as const] : [];
    }),
  );
  const codecs = new Map(Object.values(input.pgRegistry.pgCodecs).map((one) => [keyOf(one), one]));
  for (const codec of Object.values(TYPES)) codecs.set(keyOf(codec), codec);
  const type: Registry['type'] = (named) => {
    const { schema, name, element } = named;
    const codec = codecs.get(JSON.stringify([schema, name]));
    if (codec) return columnTypeOf(codec);
    const item = element && type(element);
    return item ? arrayOf(item) : plainType(named);
  };
  const read = await inSnapshot(databaseUrl, async (client) => ({
    operators: await readExtensionOperators(client),
    ...(await readEnumTypes(client, enumTables(tables), reader)),
  }));
  return {
    input,
    type,
    ...read,
    column(table, column) {
      const resource = resources.get(JSON.stringify([table.schema, table.name]));
      const attribute = resource?.codec.attributes?.[column];
      if (attribute) {
        return { type: columnTypeOf(attribute.codec), notNull: attribute.notNull ?? false };
      }
      const model = table.columns.get(column);
      const base = model?.type.schema === 'information_schema' && STANDARD[model.type.name];
      return base ? { type: columnTypeOf(base), notNull: model.notNull } : undefined;
    },
  };
}

/** Reads the current values of the enum tables among the given tables. */
export function readEnums(
  databaseUrl: string,
  tables: Iterable<TableModel>,
  reader?: string,
): Promise<EnumTypes> {
  const tracked = enumTables(tables);
  if (tracked.length === 0) return Promise.resolve({ enums: new Map(), findings: [] });
  return inSnapshot(databaseUrl, (client) => readEnumTypes(client, tracked, reader));
}

const enumTables = (tables: Iterable<TableModel>) => [...tables].filter((table) => table.enum);

/** The domains of information_schema, which PostGraphile does not read. */
const STANDARD: Readonly<Record<string, PgCodec>> = {
  cardinal_number: TYPES.int,
  character_data: TYPES.varchar,
  sql_identifier: TYPES.name,
  time_stamp: TYPES.timestamptz,
  yes_or_no: TYPES.varchar,
};

function keyOf(codec: PgCodec): string {
  const { schema, name } = nameOf(codec);
  return JSON.stringify([schema, name]);
}

async function gatherSchemas(
  connectionString: string,
  schemas: string[],
): Promise<GraphileBuild.BuildInput> {
  const service = makePgService({
    connectionString,
    schemas,
    pubsub: false,
    // A login could have created operators in another schema. This search path prevents calls to them.
    pgSettingsForIntrospection: { search_path: 'pg_catalog, pg_temp' },
  });
  try {
    return await gather({
      extends: [buildPreset, pgPreset],
      plugins: [
        aggregateSpecsPlugin,
        ExtensionTypeCodecPlugin,
        AnyTypeCodecPlugin,
        UniqueNamesPlugin,
      ],
      disablePlugins: [...UNUSED_PLUGINS],
      pgServices: [service],
    });
  } finally {
    await service.release?.();
  }
}

async function inSnapshot<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url });
  // A broken connection fails its next query. Without a listener, the error event would end the process.
  client.on('error', () => {});
  await client.connect();
  try {
    await client.query('begin read only');
    await client.query("select pg_catalog.set_config('search_path', 'pg_catalog, pg_temp', true)");
    return await work(client);
  } finally {
    await client.end();
  }
}

function findPlugin(name: string): GraphileConfig.Plugin {
  const plugin = PgAggregatesPreset.plugins?.find((candidate) => candidate.name === name);
  if (!plugin) throw new Error(`@graphile/pg-aggregates has no ${name}`);
  return plugin;
}
