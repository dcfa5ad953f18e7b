import type {
  RoleModel,
  TableAccess,
  TableKey,
  TableModel,
} from '../../../../permissions/index.ts';
import { joinColumns } from '../../../../permissions/role-view.ts';
import type { RelationshipView, TableView } from './table-view.ts';

interface Surroundings {
  readonly role: RoleModel;
  readonly models: ReadonlyMap<TableKey, TableModel>;
  readonly byKey: ReadonlyMap<TableKey, TableView>;
}

/** The relationships that a role can follow from a table, by name. */
export function makeRelationships(
  access: TableAccess,
  { role, models, byKey }: Surroundings,
): ReadonlyMap<string, RelationshipView> {
  const entries = [...access.rules.relationships.values()].map((relationship) => {
    const { name, table: key, columns } = relationship;
    const table = () => {
      const view = byKey.get(key);
      if (!view)
        throw new Error(`relationship ${name} leads to ${key}, which the role cannot select`);
      return view;
    };
    const remote = models.get(key);
    const remoteRules = role.tables.get(key);
    const remoteColumns = remote && remoteRules && joinColumns(remote, remoteRules);
    const pairs = columns.map((pair) => ({
      ...pair,
      localColumn: access.joinColumns.get(pair.local) ?? pair.local,
      remoteColumn: remoteColumns?.get(pair.remote) ?? pair.remote,
    }));
    return [name, { ...relationship, table, columns: pairs }] as const;
  });
  return new Map(entries);
}

const AGGREGATE = '_aggregate';

/** Finds the field whose rows `<name>_aggregate` aggregates; undefined for any other field name. */
export function aggregated<T>(fields: ReadonlyMap<string, T>, field: string): T | undefined {
  return field.endsWith(AGGREGATE) ? fields.get(field.slice(0, -AGGREGATE.length)) : undefined;
}

/** Finds the relationship that a field follows, either to rows or to the aggregate of these rows. */
export function followedBy(
  { relationships }: Pick<TableView, 'relationships'>,
  field: string,
): RelationshipView | undefined {
  return relationships.get(field) ?? aggregated(relationships, field);
}

/** The part of the schema key that depends on a relationship. Roles with equal schema keys share one schema. */
export function describeRelationship({ name, kind, isCertain, table }: RelationshipView): unknown {
  return [name, kind, isCertain, table().model.key];
}
