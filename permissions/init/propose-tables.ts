import { type Catalog, tableKey } from '../catalog/catalog.ts';
import type { CatalogTable } from '../catalog/types.ts';
import { type Diagnostic, Report } from '../diagnostics.ts';
import { MetadataError } from '../errors.ts';
import { fileNames } from '../import/file-names.ts';
import { decodeMetadata } from '../metadata/load-metadata.ts';
import type { RawNode } from '../metadata/yaml/node.ts';
import { parseYaml } from '../metadata/yaml/parse-yaml.ts';
import { buildModel, type ModelOptions } from '../model/build-model.ts';
import type { TableKey } from '../types/names.ts';
import type { LeftOut } from './choose-tables.ts';
import type { ExistingFolder } from './existing-folder.ts';
import { GraphqlNames } from './graphql-names.ts';
import { type TableFileScope, tableFileText } from './table-file.ts';

/** A new file of a metadata folder. */
export interface NewFile {
  /** Path within the folder, with forward slashes. */
  readonly path: string;
  readonly text: string;
}

export interface ProposalScope extends ModelOptions {
  readonly catalog: Catalog;
  readonly existing: ExistingFolder;
  readonly enums: ReadonlySet<CatalogTable>;
  /** The role for the examples. */
  readonly role: string;
  /** Files beside those of the tables. */
  readonly others: readonly NewFile[];
}

export interface Proposal {
  readonly files: readonly NewFile[];
  readonly leftOut: readonly LeftOut[];
}

/**
 * Returns the files of new tables. Omits a table with which Rowgate would refuse the folder.
 * @throws MetadataError for a mistake that does not come from a table
 */
export async function proposeTables(
  tables: readonly CatalogTable[],
  scope: ProposalScope,
): Promise<Proposal> {
  const leftOut: LeftOut[] = [];
  for (let left = tables; ; ) {
    const files = filesOf(left, scope);
    const mistakes = await mistakesIn([...scope.others, ...files], scope);
    if (mistakes.length === 0) return { files, leftOut };
    const refused = new Map(
      mistakes.flatMap((one) => {
        const table = left[files.findIndex(({ path }) => path === one.position?.file)];
        return table ? [[table, one.message] as const] : [];
      }),
    );
    if (refused.size === 0) throw new MetadataError(mistakes);
    for (const [table, reason] of refused) leftOut.push({ table, reason });
    left = left.filter((table) => !refused.has(table));
  }
}

function filesOf(tables: readonly CatalogTable[], scope: ProposalScope): readonly NewFile[] {
  const { catalog, existing, enums, role, headerPrefix } = scope;
  const { model } = existing;
  const tableScope: TableFileScope = {
    ...{ catalog, enums, role, headerPrefix },
    names: new GraphqlNames(model.tables.values(), model.functions.values()),
    tracked: trackedOf(tables, catalog, model.tables.keys()),
  };
  const names = fileNames(tables, existing.tableFiles);
  return tables.map((table, index) => ({
    path: `tables/${names[index]}`,
    text: tableFileText(table, tableScope),
  }));
}

function trackedOf(
  tables: readonly CatalogTable[],
  catalog: Catalog,
  existing: Iterable<TableKey>,
): TableFileScope['tracked'] {
  const found = [...existing].flatMap((key) => catalog.tables.get(key) ?? []);
  return new Map(
    [...found, ...tables].map((table) => {
      const key = tableKey(table.schema, table.name);
      return [key, { key, catalog: table }];
    }),
  );
}

/** Returns the errors that the folder would have with the new files. */
async function mistakesIn(
  files: readonly NewFile[],
  { catalog, existing, ...options }: ProposalScope,
): Promise<readonly Diagnostic[]> {
  const report = new Report();
  const roots = new Map<string, RawNode>(existing.roots);
  for (const { path, text } of files) {
    const root = parseYaml(text, path, report);
    if (root && !roots.has(path)) roots.set(path, root);
  }
  const raw = await decodeMetadata(roots, report);
  if (raw && !report.hasErrors) buildModel(raw, catalog, options, report);
  return report.diagnostics.filter(({ severity }) => severity === 'error');
}
