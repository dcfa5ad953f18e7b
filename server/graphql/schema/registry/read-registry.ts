import pg from 'pg';
import type {
  ComputedField,
  Diagnostic,
  FunctionModel,
  TableKey,
  TableModel,
  TypeName,
} from '../../../../permissions/index.ts';
import { arrayOf, type ColumnType, plainType } from './column-type.ts';
import { type EnumType, type EnumTypes, readEnumTypes } from './enum-types.ts';
import {
  type ExtensionOperators,
  type ExtensionRow,
  makeExtensionOperators,
  readExtensionOperators,
} from './extension-operators.ts';
import { readTypes, typeKey } from './read-types.ts';

export interface RegistryColumn {
  readonly type: ColumnType;
  readonly notNull: boolean;
}

/** The content of a registry. It consists of data only, so that it can be sent to a thread. */
export interface RegistryData {
  /** Types by schema and name. */
  readonly types: ReadonlyMap<string, ColumnType>;
  /** Operators and aggregates of extensions. */
  readonly operators: readonly ExtensionRow[];
  /** Enums by their tables. Enum tables without values are ordinary tables. */
  readonly enums: ReadonlyMap<TableKey, EnumType>;
}

/** The column types and enum values that were read from the database, shared by all roles. */
export interface Registry {
  readonly data: RegistryData;
  readonly operators: ExtensionOperators;
  readonly enums: RegistryData['enums'];
  /** Problems with the rows of enum tables. */
  readonly findings: readonly Diagnostic[];
  /**
   * Returns a column with its type. Returns undefined for the few types that PostGraphile cannot describe, such as
   * arrays of oidvector; the schema omits such columns.
   */
  column(table: TableModel, column: string): RegistryColumn | undefined;
  /** Returns a type by its name. Values of unknown types are handled as texts. */
  type(name: TypeName): ColumnType;
}

/** Makes a registry of its data. */
export function makeRegistry(data: RegistryData, findings: readonly Diagnostic[] = []): Registry {
  const type: Registry['type'] = (named) => {
    const known = data.types.get(typeKey(named));
    if (known) return known;
    const item = named.element && type(named.element);
    return item ? arrayOf(item) : plainType(named);
  };
  return {
    ...{ data, findings, type, enums: data.enums },
    operators: makeExtensionOperators(data.operators),
    column(table, name) {
      const column = table.columns.get(name);
      const found = column && data.types.get(typeKey(column.type));
      return found && { type: found, notNull: column.notNull };
    },
  };
}

/**
 * Reads the types of the given tables and functions; any login may do so. `reader` is the Postgres role that reads the
 * rows of enum tables. Without `reader`, the login of the connection reads them.
 */
export async function readRegistry(
  databaseUrl: string,
  given: Iterable<TableModel>,
  reader?: string,
  functions: Iterable<FunctionModel> = [],
): Promise<Registry> {
  const tables = [...given];
  const { findings, ...data } = await inSnapshot(databaseUrl, async (client) => ({
    types: await readTypes(client, [
      ...tables.flatMap(typesOf),
      ...[...functions].flatMap(argumentTypes),
    ]),
    operators: await readExtensionOperators(client),
    ...(await readEnumTypes(client, enumTables(tables), reader)),
  }));
  return makeRegistry(data, findings);
}

function typesOf({ columns, computedFields }: TableModel): readonly TypeName[] {
  const computed = [...computedFields.values()].flatMap((field) => [
    ...argumentTypes(field),
    ...(field.result.kind === 'scalar' ? [field.result.type] : []),
  ]);
  return [...[...columns.values()].map(({ type }) => type), ...computed];
}

function argumentTypes({ arguments: taken }: FunctionModel | ComputedField): readonly TypeName[] {
  return taken.map(({ type }) => type);
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
