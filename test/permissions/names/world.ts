import pg from 'pg';

// Gives each name to a schema, tables, columns, a type and its value, a constraint, a named filter and a role.

const preparation = `create schema kinds; create schema existing; create schema compared; create schema written;`;

/** Returns SQL for tables in which every object has one of the names, with rows of two tenants. */
export function schemaFor(names: readonly string[]): string {
  return [preparation, ...names.map(tablesFor)].join('\n');
}

function tablesFor(name: string): string {
  const n = pg.escapeIdentifier(name);
  const text = pg.escapeLiteral(name);
  return `
create schema ${n};
create type kinds.${n} as enum (${text}, 'other');
create table public.${n} (${n} text primary key, tenant text not null, mood kinds.${n} not null);
create table ${n}.${n} (id integer primary key, ${n} text constraint ${n} references public.${n}, tag text);
create table existing.${n} (id integer primary key, ${n} text);
create table compared.${n} (id integer primary key, ${n} text, twin text);
create table written.${n} (id integer primary key, ${n} text not null, note text, tenant text not null);
comment on table public.${n} is ${text};
comment on column public.${n}.${n} is ${text};
insert into public.${n} values ('mine', '1', ${text}), ('mine too', '1', 'other'), ('theirs', '2', ${text});
insert into ${n}.${n} values (1, 'mine', '1'), (2, 'theirs', '2'), (3, null, '1'), (4, 'mine', '2');
insert into existing.${n} values (1, 'mine'), (2, 'theirs');
insert into compared.${n} values (1, 'a', 'a'), (2, 'a', 'b');
insert into written.${n} values (1, 'me', '', '1'), (2, 'you', '', '1'), (3, 'me', '', '2');`;
}

/** Maximum bytes of a role name after the prefix of the installation, which has ten bytes. */
const maxRoleBytes = 53;

/**
 * Returns a role name made from a name: cut to the maximum length, and without spaces at its ends, which no header can
 * contain.
 */
export function roleFor(name: string): string {
  const bytes = Buffer.byteLength(name);
  const fits = bytes <= maxRoleBytes ? name : [...name].slice(bytes - maxRoleBytes).join('');
  return fits.replace(/^ +| +$/g, '');
}

const tenant = { tenant: { _eq: 'X-Gql-Tenant' } };

/** Rules of every kind for these tables, as files of a metadata folder. JSON is valid YAML. */
export function rulesFor(names: readonly string[]): Readonly<Record<string, string>> {
  const roles = Object.fromEntries(names.map((name) => [roleFor(name), { purpose: name }]));
  const filters = names.map((name) => [name, { ...tenant, mood: { _in: [name] } }]);
  const tables = names.flatMap((name, index) =>
    tableFiles(name).map((file, kind) => [`tables/${index}-${kind}.yaml`, file] as const),
  );
  const files = [
    ['roles.yaml', { roles }],
    ['filters.yaml', { filters: Object.fromEntries(filters) }],
    ...tables,
  ] as const;
  return Object.fromEntries(files.map(([file, content]) => [file, JSON.stringify(content)]));
}

function tableFiles(name: string): readonly object[] {
  const parent = { schema: 'public', name };
  const child = { schema: name, name };
  const by = (permissions: object) => ({ [roleFor(name)]: permissions });
  return [
    {
      table: parent,
      relationships: { children: { table: child, column: name } },
      permissions: by({
        select: { filter: { _filter: name }, columns: '*', allow_aggregations: true },
      }),
    },
    {
      table: child,
      relationships: {
        to_parent: { column: name },
        pair: { table: parent, columns: { [name]: name, tag: 'tenant' }, kind: 'object' },
      },
      permissions: by({
        select: { filter: { to_parent: tenant }, columns: ['id', name, 'tag'] },
        update: {
          filter: { to_parent: { [name]: { _ceq: ['$', name] }, ...tenant } },
          columns: ['tag'],
        },
        delete: { filter: { pair: tenant } },
      }),
    },
    { table: { schema: 'existing', name }, permissions: by(existingRules(name, parent, child)) },
    {
      table: { schema: 'compared', name },
      permissions: by({
        select: { filter: { twin: { _ceq: name } }, columns: ['id', name] },
        update: { filter: { [name]: { _ceq: 'twin' } }, columns: [name] },
      }),
    },
    { table: { schema: 'written', name }, permissions: by(writtenRules(name)) },
  ];
}

function existingRules(name: string, parent: object, child: object): object {
  const same = { [name]: { _ceq: ['$', name] }, ...tenant };
  const mine = { [name]: { _eq: 'mine' }, to_parent: tenant };
  return {
    select: { filter: { _exists: { _table: parent, _where: same } }, columns: ['id', name] },
    delete: { filter: { _exists: { _table: child, _where: mine } } },
  };
}

function writtenRules(name: string): object {
  const own = { ...tenant, [name]: { _eq: 'X-Gql-Maker' } };
  const check = { note: { _neq: name }, ...tenant };
  return {
    select: { filter: own, columns: ['id', name, 'note'] },
    insert: { check, set: { [name]: 'X-Gql-Maker' }, columns: ['id', 'note', 'tenant'] },
    update: { filter: own, check, columns: ['note'] },
    delete: { filter: own },
  };
}
