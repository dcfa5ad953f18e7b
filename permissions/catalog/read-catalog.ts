import { readFile } from 'node:fs/promises';
import { Ajv2020 } from 'ajv/dist/2020.js';
import type { Static } from 'typebox';
import { CommandError } from '../commands/command-error.ts';
import { catalogFileSchema, catalogVersion } from './catalog-schema.ts';
import type { CatalogData } from './types.ts';

/**
 * Reads a file that `rowgate catalog` wrote.
 * @throws CommandError RG_CATALOG (exit 2) for anything else
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

const isCatalogFile = new Ajv2020().compile<CatalogFile>(catalogFileSchema);

function checked(file: string, value: unknown): CatalogFile {
  if (isCatalogFile(value)) return value;
  const { format, version } = (value ?? {}) as { format?: unknown; version?: unknown };
  if (format !== 'rowgate-catalog') throw unusable(file, 'it is no catalog of rowgate');
  if (version !== catalogVersion) {
    throw unusable(
      file,
      `it has version ${JSON.stringify(version)} of the format, this program reads ${catalogVersion}`,
    );
  }
  const [error] = isCatalogFile.errors ?? [];
  throw unusable(file, `${error?.instancePath || 'it'} ${error?.message}`);
}

/** What a look-up would stumble over later: only types that columns lead to are looked up. */
function brokenReference({ types, tables }: CatalogData): string | undefined {
  if (!types.some((one) => one.schema === 'pg_catalog' && one.name === 'text'))
    return "it lacks Postgres's own types";
  const known = new Map(types.map((type) => [type.oid, type]));
  const isWhole = (oid: number, above: readonly number[] = []): boolean => {
    const type = above.includes(oid) ? undefined : known.get(oid);
    if (!type || (type.array !== 0 && !known.has(type.array))) return false;
    return [type.element, type.base].every(
      (inner) => inner === 0 || isWhole(inner, [...above, oid]),
    );
  };
  for (const { schema, name, columns } of tables) {
    const column = columns.find((one) => !isWhole(one.type));
    if (column) return `column ${schema}.${name}.${column.name} has a type that it lacks`;
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
