import { readFile } from 'node:fs/promises';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import type { Static } from 'typebox';
import { CommandError } from '../errors.ts';
import { tableKey } from './catalog.ts';
import { catalogFileSchema, catalogVersion } from './catalog-schema.ts';
import type { CatalogData } from './types.ts';

/**
 * Reads a file that `rowgate catalog` wrote.
 * @throws CommandError RG_CATALOG (exit 2) if the file is not valid
 */
export async function readCatalog(file: string): Promise<CatalogData> {
  const {
    format: _format,
    version: _version,
    ...data
  } = checked(file, parsed(file, await text(file)));
  const problem = brokenReference(data);
  if (problem !== undefined) throw unusable(file, problem);
  return data;
}

async function text(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    throw unusable(file, `it cannot be read: ${(error as { code?: string }).code}`, error);
  }
}

function parsed(file: string, content: string): unknown {
  try {
    return JSON.parse(content);
  } catch (error) {
    throw unusable(file, 'it is not JSON, or only a part of it', error);
  }
}

type CatalogFile = Static<typeof catalogFileSchema>;

let compiled: ValidateFunction<CatalogFile> | undefined;

function checked(file: string, value: unknown): CatalogFile {
  // Compiled when the first file is read, because most commands read none.
  compiled ??= new Ajv2020().compile<CatalogFile>(catalogFileSchema);
  if (compiled(value)) return value;
  const { format, version } = (value ?? {}) as { format?: unknown; version?: unknown };
  if (format !== 'rowgate-catalog') throw unusable(file, 'it is no catalog of rowgate');
  if (version !== catalogVersion) {
    throw unusable(
      file,
      `it has version ${JSON.stringify(version)} of the format, this program reads ${catalogVersion}`,
    );
  }
  const [error] = compiled.errors ?? [];
  throw unusable(file, `${error?.instancePath || 'it'} ${error?.message}`);
}

/**
 * Returns a reference to a type, table or column that the file lacks; undefined if every reference is complete. A file
 * with such a reference is refused, because lookups would fail later. Only types that columns and functions use are
 * checked.
 */
function brokenReference({ types, tables, functions }: CatalogData): string | undefined {
  const own = new Set(types.flatMap((one) => (one.schema === 'pg_catalog' ? one.name : [])));
  if (!neededTypes.every((name) => own.has(name))) return "it lacks Postgres's own types";
  const isWhole = wholeness(types);
  for (const { schema, name, columns } of tables) {
    const column = columns.find((one) => !isWhole(one.type));
    if (column) return `column ${schema}.${name}.${column.name} has a type that it lacks`;
  }
  return brokenKey(tables) ?? brokenFunction(functions, isWhole);
}

function brokenFunction(
  functions: CatalogData['functions'],
  isWhole: (oid: number) => boolean,
): string | undefined {
  const broken = functions.find(
    (one) => !isWhole(one.result) || !one.arguments.every(({ type }) => isWhole(type)),
  );
  return broken && `function ${broken.schema}.${broken.name} has a type that it lacks`;
}

/** Types that rules always need, even when no column has them. */
const neededTypes = ['text', '_text', 'anyarray', 'anyenum', 'anyrange', 'anymultirange'];

/** Maximum nesting of types. Types of real databases are nested less deeply, so a deeper file is refused as broken. */
const maxTypeDepth = 100;

/**
 * Returns a function that checks whether the file holds a type and all types that it consists of. It returns false for
 * a type that contains itself. Results are cached, so each type is visited once.
 */
function wholeness(types: CatalogData['types']): (oid: number) => boolean {
  const known = new Map(types.map((type) => [type.oid, type]));
  const looked = new Map<number, boolean>();
  const look = (oid: number, depth: number): boolean => {
    const before = looked.get(oid);
    if (before !== undefined) return before;
    looked.set(oid, false);
    const type = known.get(oid);
    if (!type || depth > maxTypeDepth || (type.array !== 0 && !known.has(type.array))) return false;
    const { kind, element, base } = type;
    const inner = kind === 'd' ? [base] : [element, base].filter((one) => one !== 0);
    const whole = inner.every((one) => look(one, depth + 1));
    looked.set(oid, whole);
    return whole;
  };
  return (oid) => look(oid, 0);
}

function brokenKey(tables: CatalogData['tables']): string | undefined {
  const columns = new Map(
    tables.map((table) => [
      tableKey(table.schema, table.name),
      new Set(table.columns.map((column) => column.name)),
    ]),
  );
  for (const { schema, name, foreignKeys, uniqueConstraints } of tables) {
    const own = columns.get(tableKey(schema, name));
    const unique = uniqueConstraints.find(
      (one) => !one.columns.every((column) => own?.has(column)),
    );
    if (unique) return `constraint "${unique.name}" of ${schema}.${name} is about no column`;
    const broken = foreignKeys.find(
      (key) =>
        key.columns.length === 0 ||
        key.columns.length !== key.remoteColumns.length ||
        !key.columns.every((column) => own?.has(column)) ||
        !key.remoteColumns.every((column) => columns.get(key.table)?.has(column)),
    );
    if (broken) return `foreign key "${broken.name}" of ${schema}.${name} leads nowhere`;
  }
  return undefined;
}

function unusable(file: string, problem: string, cause?: unknown): CommandError {
  return new CommandError('RG_CATALOG', `${file} cannot be used: ${problem}`, {
    hint: 'write it anew with `rowgate catalog --out FILE`',
    exitCode: 2,
    cause,
  });
}
