/** Tables of a small company database, whose rules have the usual shapes. */
const tables = `
create type mood as enum ('calm', 'busy');
create table organization (id integer primary key, name text);
create table membership (
  id integer primary key, person_id integer, organization_id integer, active boolean not null
);
create table project (
  id integer primary key, organization_id integer, owner_id integer, title text, mood mood,
  deleted boolean not null default false
);
create table task (
  id integer primary key, project_id integer references project on delete cascade,
  parent_id integer references task on delete cascade, title varchar(40), amount integer not null default 0,
  at timestamptz not null default '2026-01-01'
);
create table note (
  id uuid primary key, task_id integer references task on delete cascade, body text
);
create table offer (id integer primary key, until timestamptz);
create table plain (id integer primary key, title text);
create table place (a integer, b text, rank bigint not null, title text, primary key (a, b));
create table tagged (tags text[] primary key);
create view project_title with (security_barrier) as select id, title from project;
create function tasks_of(project integer) returns setof task stable language sql
  as 'select * from public.task where project_id = tasks_of.project';
create function touch_task(task integer) returns setof task volatile language sql
  as 'select * from public.task where id = touch_task.task';
create function task_count(row_ project) returns bigint stable language sql
  as 'select count(*) from public.task where project_id = row_.id';
`;

/** The first rows of all tables. */
export const rows = `
insert into organization values (1, 'One'), (2, 'Two'), (3, 'Three');
insert into membership values (1, 1, 1, true), (2, 1, 2, false), (3, 2, 2, true);
insert into project values
  (1, 1, 1, 'a', 'calm', false), (2, 1, 2, 'b', 'busy', false), (3, 2, 2, 'c', null, false),
  (4, 2, 1, 'd', 'calm', true), (5, null, 1, 'e', null, false);
insert into task select n, 1 + n % 5, nullif(n / 2, 0), 't' || n, n % 4 from generate_series(1, 12) n;
insert into note select ('00000000-0000-4000-8000-0000000000' || lpad(n::text, 2, '0'))::uuid, n, 'n' || n
  from generate_series(1, 12) n;
insert into offer values (1, 'infinity');
insert into plain values (1, 'p');
insert into place values (1, 'x', 5, 'p'), (1, 'y', 5, 'q'), (2, 'x', 5, 'r'), (2, 'y', 7, 's'), (3, 'x', 1, 't');
`;

export const schema = `${tables}${rows}`;

/** Replaces all rows by the first rows. */
export const firstRows = `truncate organization, membership, project, task, note, offer, plain, place;${rows}`;

const own = '{ organization_id: { _eq: X-Gql-Organization-Id } }';
const all = 'allow_aggregations: true';

export const metadata = {
  'roles.yaml': `
roles:
  member: {}
  lister: {}
  either: {}
  granted: {}
  reader: {}
  combined: { inherits: [member, reader] }
  watcher: {}
  mixed: { inherits: [member, watcher] }
  guest: {}
`,
  'tables/organization.yaml': `
table: organization
live: true
permissions:
  member: { select: { filter: { id: { _eq: X-Gql-Organization-Id } }, columns: '*' } }
`,
  'tables/membership.yaml': `
table: membership
live: { keys: [id, person_id] }
permissions: {}
`,
  'tables/project.yaml': `
table: project
live: { keys: [id, organization_id, mood, title] }
computed_fields:
  task_count: { function: task_count }
permissions:
  member:
    select: { filter: { _and: [${own}, { deleted: { _eq: false } }] }, columns: '*', computed_fields: [task_count], ${all} }
  lister:
    select: { filter: { organization_id: { _in: X-Gql-Organization-Ids } }, columns: '*', ${all} }
  either:
    select: { filter: { _or: [${own}, { owner_id: { _eq: X-Gql-User-Id } }] }, columns: '*', ${all} }
  granted:
    select:
      filter:
        _exists:
          _table: membership
          _where: { person_id: { _eq: X-Gql-User-Id }, active: { _eq: true }, organization_id: { _ceq: [$, organization_id] } }
      columns: '*'
      ${all}
  reader: { select: { filter: { mood: { _eq: calm } }, columns: [id, mood], ${all} } }
`,
  'tables/task.yaml': `
table: task
live: { keys: [id, project_id], cursors: [id, at, amount] }
permissions:
  member:
    select: { filter: { project: ${own} }, columns: '*', ${all} }
  lister: { select: { filter: { project: { organization_id: { _in: X-Gql-Organization-Ids } } }, columns: '*', ${all} } }
  either: { select: { filter: { _not: { project: ${own} } }, columns: '*', ${all} } }
  granted:
    select: { filter: { parent: { parent: { project: { mood: { _eq: calm } } } } }, columns: '*', ${all} }
  reader: { select: { filter: { amount: { _gt: 1 } }, columns: [id, title], limit: 3, subscription_root_fields: [select_by_pk] } }
  watcher: { select: { filter: {}, columns: [id, title, at], limit: 2, query_root_fields: [] } }
`,
  'tables/note.yaml': `
table: note
live: true
permissions:
  member: { select: { filter: { task: { project: ${own} } }, columns: '*', ${all} } }
  lister: { select: { filter: {}, columns: '*' } }
  either: { select: { filter: { body: { _neq: n3 } }, columns: '*' } }
`,
  'tables/offer.yaml': `
table: offer
live: true
permissions:
  member: { select: { filter: { until: { _gt: now } }, columns: '*' } }
`,
  'tables/plain.yaml': `
table: plain
permissions:
  member: { select: { filter: {}, columns: '*' } }
`,
  'tables/place.yaml': `
table: place
live: { cursors: [rank, a, b] }
permissions:
  member: { select: { filter: { title: { _neq: hidden } }, columns: '*' } }
`,
  'tables/tagged.yaml': `
table: tagged
live: true
permissions:
  member: { select: { filter: {}, columns: '*' } }
`,
  'tables/project_title.yaml': `
table: project_title
permissions:
  member: { select: { filter: {}, columns: '*' } }
`,
  'functions/tasks_of.yaml': 'function: tasks_of\npermissions: [member]\n',
  'functions/touch_task.yaml': 'function: touch_task\nexposed_as: query\npermissions: [member]\n',
};
