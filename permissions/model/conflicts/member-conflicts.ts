import type { Report } from '../../diagnostics.ts';
import type { RawGraphql } from '../../metadata/schemas/tables/graphql-names.ts';
import type { Relationship, TableModel } from '../../types/tables.ts';

interface Member {
  readonly field: string;
  readonly label: string;
  readonly kind: 'operator' | 'column' | 'relationship' | 'aggregate' | 'computed field';
  /** The column's name in the database. Absent for members that are not columns. */
  readonly column?: string;
}

const operators: readonly Member[] = ['_and', '_or', '_not'].map((field) => ({
  field,
  label: 'the operator',
  kind: 'operator',
}));

/** Reports fields of a row, and members of `where`, that would have the same name. */
export function reportMembers({ model, graphql }: NamedTable, report: Report): void {
  const taken = new Map(operators.map((one) => [one.field, one]));
  for (const member of membersOf(model)) {
    const other = taken.get(member.field);
    // A relationship with the name of a column is skipped, because resolving the relationships already reports it.
    if (!other || (member.kind === 'relationship' && other.kind === 'column')) {
      taken.set(member.field, member);
      continue;
    }
    const given = graphql.columns.find((one) => one.column.name === member.column)?.name;
    report.error(
      'RG_NAME_CONFLICT',
      given?.position ?? model.position,
      `${other.label} and ${member.label} of ${model.schema}.${model.name} would both be "${member.field}" in GraphQL`,
      hintFor(member, other),
    );
  }
}

function membersOf({ columns, relationships, computedFields }: TableModel): readonly Member[] {
  const related = [...relationships.values()];
  const computed = [...computedFields.values()];
  return [
    ...[...columns.values()].map(({ graphqlName, name }) => ({
      ...{ field: graphqlName, label: `"${name}"`, kind: 'column' as const, column: name },
    })),
    ...related.map(({ name }) => ({
      field: name,
      label: `"${name}"`,
      kind: 'relationship' as const,
    })),
    ...related.filter(({ kind }) => kind === 'array').map(aggregateOf),
    ...computed.map(({ name }) => ({
      ...{ field: name, label: `the computed field "${name}"`, kind: 'computed field' as const },
    })),
    ...computed.filter(({ result }) => result.kind === 'rows').map(aggregateOf),
  ];
}

function aggregateOf({ name }: Pick<Relationship, 'name'>): Member {
  return {
    field: `${name}_aggregate`,
    label: `the aggregate of "${name}"`,
    kind: 'aggregate',
  };
}

function hintFor(...members: readonly Member[]): string {
  const column = members.find((member) => member.column !== undefined)?.column;
  if (members.some(({ kind }) => kind === 'computed field'))
    return 'call one of them otherwise under computed_fields';
  if (column === undefined) return 'call one of them otherwise under relationships';
  return `call one of them otherwise, by graphql: { columns: { ${JSON.stringify(column)}: … } }`;
}

/** A table with the GraphQL names from its file. */
export interface NamedTable {
  readonly model: TableModel;
  readonly graphql: RawGraphql;
}
