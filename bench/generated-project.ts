import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';

const schema = 'public';

/** The size of the generated project. */
export interface ProjectSize {
  readonly tables: number;
  readonly roles: number;
}

const nameOf = (table: number) => `record_${String(table).padStart(3, '0')}`;
const roleOf = (role: number) => `role_${String(role).padStart(2, '0')}`;
/** Every table with an index that this number divides has tests. */
const testedEach = 100;
const [ownTenantId, otherTenantId] = [
  '00000000-0000-4000-8000-000000000001',
  '00000000-0000-4000-8000-000000000002',
];
/** Returns the index of a table's parent, which is an earlier table. Only the first table has no parent. */
const parentOf = (table: number) => Math.floor(table / 2);

/** Makes the SQL of tables with ten columns, each with a tenant, a parent, indexes on both, and comments. */
export function projectSql({ tables }: ProjectSize): string {
  const statements = Array.from({ length: tables }, (_, table) => {
    const parent = table > 0 ? `references ${schema}.${nameOf(parentOf(table))}` : '';
    const name = `${schema}.${nameOf(table)}`;
    return `create table ${name} (
        id uuid primary key default gen_random_uuid(), tenant_id uuid not null, owner_id text,
        parent_id uuid ${parent}, label text not null default '', amount numeric(20,2) not null default 0,
        status text not null default 'draft' check (status in ('draft', 'active', 'locked')),
        details jsonb, created_by text, created_at timestamptz not null default now());
      create index on ${name} (tenant_id, status);
      create index on ${name} (parent_id);
      create index on ${name} (owner_id);
      comment on table ${name} is 'Record ${table}.';
      comment on column ${name}.label is 'What people call it.';`;
  });
  return statements.join('\n');
}

/**
 * Makes rules for each role on each table, with tenants, owners, relationships, presets and various column lists.
 * @param ownTenant the condition on the rows of the own tenant, which most rules use
 */
export async function writeProject(
  folder: string,
  size: ProjectSize,
  ownTenant = '{ tenant_id: { _eq: X-Gql-Tenant-Id } }',
): Promise<void> {
  await mkdir(path.join(folder, 'tables'), { recursive: true });
  const roles = Array.from({ length: size.roles }, (_, role) => `  ${roleOf(role)}: {}\n`);
  await writeFile(path.join(folder, 'roles.yaml'), `roles:\n${roles.join('')}`);
  await writeFile(path.join(folder, 'filters.yaml'), `filters:\n  own_tenant: ${ownTenant}\n`);
  await writeFile(path.join(folder, 'rowgate.yaml'), 'references_visible: true\n');
  for (let table = 0; table < size.tables; table += 1) {
    const rules = Array.from({ length: size.roles }, (_, role) => ruleText(table, role));
    const text = `table: ${nameOf(table)}\npermissions:\n${rules.join('')}`;
    await writeFile(path.join(folder, 'tables', `${nameOf(table)}.yaml`), text);
  }
  await mkdir(path.join(folder, 'tests'), { recursive: true });
  for (let table = 0; table < size.tables; table += testedEach) {
    await writeFile(path.join(folder, 'tests', `${nameOf(table)}.yaml`), testText(table));
  }
}

/** Makes tests of the rules of two roles, one of which writes. */
function testText(table: number): string {
  const variables = `{ X-Gql-Tenant-Id: ${ownTenantId}, X-Gql-User-Id: ann }`;
  return `table: ${nameOf(table)}
principals:
  member: { role: ${roleOf(0)}, variables: ${variables} }
  owner: { role: ${roleOf(1)}, variables: ${variables} }
fixtures:
  ${nameOf(table)}:
    own: { tenant_id: ${ownTenantId}, owner_id: ann, status: draft }
    active: { _like: own, owner_id: bob, status: active }
    foreign: { _like: own, tenant_id: ${otherTenantId} }
tests:
  - test: each role reaches only the rows of its rules
    matrix:
      member: { own: [select, update, delete], active: [select, update] }
      owner: { own: [select] }
`;
}

/** A row for which access is explained. */
export const explained = {
  table: nameOf(150),
  /** A role that reads its own rows of its tenant, and writes. */
  role: roleOf(6),
  key: ownTenantId,
  variables: [`X-Gql-Tenant-Id=${ownTenantId}`, 'X-Gql-User-Id=ann'],
  sql: `insert into ${schema}.${nameOf(150)} (id, tenant_id, owner_id) values ('${ownTenantId}', '${ownTenantId}', 'ann')`,
  query: `{ ${nameOf(150)}(where: { parent: { status: { _eq: "active" } } }, limit: 5) { id label } }`,
} as const;

function ruleText(table: number, role: number): string {
  const filters = [
    '{ _filter: own_tenant }',
    '{ _and: [{ _filter: own_tenant }, { owner_id: { _eq: X-Gql-User-Id } }] }',
    table > 0 ? '{ parent: { tenant_id: { _eq: X-Gql-Tenant-Id } } }' : '{ _filter: own_tenant }',
    '{ _or: [{ _filter: own_tenant }, { status: { _in: [active, locked] } }] }',
    '{}',
  ];
  const filter = filters[role % filters.length];
  const columns = role % 4 === 0 ? `'*'` : '[id, tenant_id, label, status, amount, created_at]';
  const lines = [
    `  ${roleOf(role)}:`,
    `    select: { filter: ${filter}, columns: ${columns}, allow_aggregations: ${role % 2 === 0} }`,
  ];
  if (role % 3 === 0) {
    lines.push(
      '    insert: { check: { _filter: own_tenant }, set: { created_by: X-Gql-User-Id }, columns: [label, tenant_id, parent_id] }',
      '    update: { filter: { _filter: own_tenant }, columns: [label, amount], check: { status: { _neq: locked } } }',
      '    delete: { filter: { _and: [{ _filter: own_tenant }, { status: { _eq: draft } }] } }',
    );
  }
  return `${lines.join('\n')}\n`;
}
