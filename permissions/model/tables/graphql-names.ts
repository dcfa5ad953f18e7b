import type { CatalogColumn, CatalogTable } from '../../catalog/types.ts';
import type { Report } from '../../diagnostics.ts';
import type { RawGraphql } from '../../metadata/schemas/tables/graphql-names.ts';
import type { RawName } from '../../metadata/yaml/node.ts';
import { graphqlName } from '../../text/names.ts';
import { didYouMean } from '../../text/nearest.ts';
import type { ColumnModel, TableModel } from '../../types/tables.ts';
import { validGraphqlName } from '../valid-graphql-name.ts';
import { describeRootFields, rootFieldsOf } from './root-fields.ts';

/** Returns the names and descriptions of a table in GraphQL. */
export function nameTable(
  table: CatalogTable,
  raw: RawGraphql,
  report: Report,
): Pick<TableModel, 'graphqlName' | 'description' | 'rootFields' | 'rootDescriptions'> {
  const prefix = table.schema === 'public' ? '' : `${table.schema}_`;
  const name = validGraphqlName(raw.name, report) ?? graphqlName(`${prefix}${table.name}`);
  const fields = raw.rootFields.flatMap(({ field, name: given }) => {
    const found = validGraphqlName(given, report);
    return found === undefined ? [] : [[field, found] as const];
  });
  const descriptions = raw.rootFields.flatMap(({ field, description }) =>
    description === undefined ? [] : [[field, description || undefined] as const],
  );
  const label = table.schema === 'public' ? table.name : `${table.schema}.${table.name}`;
  return {
    graphqlName: name,
    description: described(
      raw.description,
      table.comment || `columns and relationships of "${label}"`,
    ),
    rootFields: { ...rootFieldsOf(name), ...Object.fromEntries(fields) },
    rootDescriptions: { ...describeRootFields(label), ...Object.fromEntries(descriptions) },
  };
}

/** Returns the name and description of a column in GraphQL. */
export function nameColumn(
  column: CatalogColumn,
  { columns }: RawGraphql,
  report: Report,
): Pick<ColumnModel, 'graphqlName' | 'description'> {
  const raw = columns.find((one) => one.column.name === column.name);
  return {
    graphqlName: validGraphqlName(raw?.name, report) ?? graphqlName(column.name),
    description: described(raw?.description, column.comment),
  };
}

/** Reports columns that the file names under `graphql` but that the table does not have. */
export function reportUnknownColumns(
  table: CatalogTable,
  names: readonly RawName[],
  report: Report,
): void {
  const known = table.columns.map(({ name }) => name);
  for (const { name, position } of names) {
    if (known.includes(name)) continue;
    report.error(
      'RG_UNKNOWN_COLUMN',
      position,
      `column "${name}" does not exist on ${table.schema}.${table.name}`,
      didYouMean(name, known),
    );
  }
}

function described(given: string | undefined, comment: string | null): string | undefined {
  return (given ?? comment) || undefined;
}
