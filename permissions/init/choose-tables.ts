import type { CatalogTable } from '../catalog/types.ts';
import { CommandError } from '../errors.ts';
import { quote, unsafeCharacterIn } from '../text/characters.ts';
import { didYouMean } from '../text/nearest.ts';
import type { TableFacts } from './table-facts.ts';
import { tableLabel, tableNamed } from './table-label.ts';

/** A table without a file, and the reason. */
export interface LeftOut {
  readonly table: Pick<CatalogTable, 'schema' | 'name'>;
  readonly reason: string;
}

/** The options of the command line that choose tables. Empty lists choose all. */
export interface TableChoice {
  readonly schemas: readonly string[];
  readonly tables: readonly string[];
}

export interface Chosen {
  /** Sorted: tables of the schema public first, then by schema and name. */
  readonly tables: readonly CatalogTable[];
  readonly leftOut: readonly LeftOut[];
}

/**
 * Chooses tables by the options; default: all tables of user-defined schemas. Views are chosen only by name.
 * @throws CommandError for a name that the database does not have
 */
export function chooseTables(
  all: readonly CatalogTable[],
  facts: ReadonlyMap<number, TableFacts>,
  choice: TableChoice,
): Chosen {
  refuseUnknownSchemas(all, choice.schemas);
  const named = choice.tables.map((written) => knownTable(written, all));
  const isNamed = (table: CatalogTable) => named.includes(table);
  const candidates = all.filter((table) =>
    choice.tables.length > 0
      ? isNamed(table) || choice.schemas.includes(table.schema)
      : isInSchemas(table, choice.schemas),
  );
  const leftOut: LeftOut[] = [];
  const tables: CatalogTable[] = [];
  for (const table of candidates) {
    const reason = reasonAgainst(table, facts.get(table.oid), isNamed(table));
    if (reason === undefined) tables.push(table);
    else leftOut.push({ table, reason });
  }
  return {
    tables: tables.toSorted(byName),
    leftOut: leftOut.toSorted((a, b) => byName(a.table, b.table)),
  };
}

/** Finds a table. @throws CommandError when the database does not have it */
export function knownTable(written: string, all: readonly CatalogTable[]): CatalogTable {
  const found = tableNamed(written, all);
  if (found) return found;
  throw new CommandError('RG_UNKNOWN_TABLE', `table ${quote(written)} does not exist`, {
    hint: didYouMean(written, all.map(tableLabel)) ?? 'write table or schema.table',
    exitCode: 2,
  });
}

function refuseUnknownSchemas(all: readonly CatalogTable[], schemas: readonly string[]): void {
  const known = [...new Set(all.map(({ schema }) => schema))];
  for (const schema of schemas) {
    if (known.includes(schema)) continue;
    throw new CommandError('RG_USAGE', `no table is in a schema ${quote(schema)}`, {
      hint: didYouMean(schema, known) ?? `schemas with tables: ${known.join(', ') || 'none'}`,
      exitCode: 2,
    });
  }
}

/** Schemas that Rowgate's own migrations create are chosen only by name. */
function isInSchemas({ schema }: CatalogTable, schemas: readonly string[]): boolean {
  return schemas.length > 0 ? schemas.includes(schema) : !schema.startsWith('rowgate_');
}

function reasonAgainst(
  table: CatalogTable,
  facts: TableFacts | undefined,
  isNamed: boolean,
): string | undefined {
  const byDefault = isNamed ? undefined : reasonByDefault(table, facts);
  return byDefault ?? unfit(table, facts);
}

/** Returns why a table cannot have rules; undefined if the table can have rules. */
export function unfit(table: CatalogTable, facts: TableFacts | undefined): string | undefined {
  if (table.kind === 'f') return 'a foreign table cannot carry row security';
  if (table.columns.length === 0) return 'it has no column';
  const odd = [table.schema, table.name].map(unsafeCharacterIn).find((one) => one !== undefined);
  if (odd !== undefined) return `its name holds the character ${odd}`;
  if (!facts) return 'it is gone';
  if (facts.foreignOwner !== null) {
    return `it belongs to ${quote(facts.foreignOwner)}; connect as a member of that role`;
  }
  return facts.foreignPolicy === null
    ? undefined
    : `it has the policy ${quote(facts.foreignPolicy)}; drop the policy, then run rowgate track`;
}

/** Returns why init omits a table unless the command line names the table. */
function reasonByDefault(table: CatalogTable, facts: TableFacts | undefined): string | undefined {
  if (table.kind === 'v' || table.kind === 'm') return 'views are written only by --table';
  if (facts?.isPartition) return 'the rules of the partitioned table apply to its partitions';
  return facts?.extension ? `it belongs to the extension ${facts.extension}` : undefined;
}

function byName(a: LeftOut['table'], b: LeftOut['table']): number {
  const rank = ({ schema }: LeftOut['table']) => (schema === 'public' ? 0 : 1);
  const compare = (one: string, other: string) => (one < other ? -1 : one > other ? 1 : 0);
  return rank(a) - rank(b) || compare(a.schema, b.schema) || compare(a.name, b.name);
}
