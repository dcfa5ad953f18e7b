import type { Model, RoleModel } from '../../../permissions/index.ts';

/** Returns the variables that a role's rules read or that the role requires. */
export function variablesRead({ requires, tables }: RoleModel): ReadonlySet<string> {
  const rules = [...tables.values()].flatMap(({ select }) => select?.variables ?? []);
  return new Set([...requires, ...rules.map(({ variable }) => variable)]);
}

/** Returns forms of a value that an attacker may try. */
export function idleHeaders(
  model: Model,
  role: RoleModel,
  others: Readonly<Record<string, string>>,
): Readonly<Record<string, string>> {
  const read = variablesRead(role);
  const idle = model.variables.filter((name) => !read.has(name));
  return {
    ...Object.fromEntries(
      idle.map((name) => [`X-Gql-${name.replaceAll('_', '-')}`, others[name] ?? '']),
    ),
    'X-Gql-Is-Admin': 'true',
    'X-Gql-Rolename': 'admin',
    'X-Gql-Role-Name': 'admin',
    'X-Gql-Search-Path': 'public',
    'X-Hasura-Role': 'admin',
    'X-Hasura-Organization-Id': others.organization_id ?? '',
    'Gql.organization_id': others.organization_id ?? '',
  };
}

/** Returns forms of a value that an attacker may try. */
export function hostileForms(value: string): readonly string[] {
  return [
    `${value}' or 'a' = 'a`,
    `${value}"`,
    `${value})::text or true --`,
    `${value}\\`,
    '%',
    '*',
    'null',
    '{}',
    '{NULL}',
    '{"%"}',
    'X-Gql-Organization-Id',
  ];
}
