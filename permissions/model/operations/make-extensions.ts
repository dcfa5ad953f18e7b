import { findTable, type Scope } from '../../expressions/resolve/scope.ts';
import type {
  RawExtensionRelationship,
  RawExtensions,
  RawOpenField,
} from '../../metadata/schemas/graphile.ts';
import { quote } from '../../text/characters.ts';
import { didYouMean } from '../../text/nearest.ts';
import type { ExtensionRelationship, ExtensionsModel } from '../../types/extensions.ts';
import { withAncestors } from '../roles/role-functions.ts';
import { reportUnknownRoles } from '../roles/unknown-roles.ts';

interface ExtensionScope extends Scope {
  /** Names of the roles that roles.yaml declares. */
  readonly roles: readonly string[];
  readonly parentsOf: (role: string) => readonly string[];
}

/** Resolves the extensions of graphile.yaml. Reports unknown roles, tables and columns. */
export function makeExtensions(raw: RawExtensions, scope: ExtensionScope): ExtensionsModel {
  const seen = new Set<string>();
  const relationships = raw.relationships.flatMap((one) => {
    const key = `${one.typeName}.${one.name}`;
    if (seen.has(key)) {
      const message = `the type ${quote(one.typeName)} has two relationships ${quote(one.name)}`;
      scope.report.error(
        'RG_NAME_CONFLICT',
        one.position,
        message,
        'give one of them another name',
      );
    }
    seen.add(key);
    return makeRelationship(one, scope) ?? [];
  });
  const fields = raw.fields.map((one) => {
    const { inHasura, position } = one;
    return [one.name, { roles: rolesOf(one, scope), inHasura, position }] as const;
  });
  return { fields: new Map(fields), relationships };
}

function rolesOf(
  { roles: listed }: RawOpenField,
  { roles, parentsOf, report }: ExtensionScope,
): ReadonlySet<string> {
  reportUnknownRoles(listed, [...roles, 'admin'], report);
  const names = new Set(listed.map(({ name }) => name));
  const open = roles.filter((role) =>
    [...withAncestors(role, parentsOf)].some((one) => names.has(one)),
  );
  return new Set([...open, 'admin']);
}

function makeRelationship(
  { typeName, name, kind, table: node, mapping, position }: RawExtensionRelationship,
  scope: ExtensionScope,
): ExtensionRelationship | undefined {
  const table = findTable(node, scope);
  if (!table) return undefined;
  const known = [...table.columns.keys()];
  for (const { column } of mapping) {
    if (known.includes(column.name)) continue;
    const message = `table ${table.schema}.${table.name} has no column ${quote(column.name)}`;
    const hint = didYouMean(column.name, known);
    scope.report.error('RG_UNKNOWN_COLUMN', column.position, message, hint);
  }
  const pairs = mapping.map(({ field, column }) => ({ field: field.name, column: column.name }));
  return { typeName, name, kind, table: table.key, mapping: pairs, position };
}
