/** Returns a function that chooses one of the values. Equal seeds choose equally. */
export function makeChooser(seed: number): <T>(values: readonly T[]) => T {
  let state = seed;
  const next = () => {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31;
    return state / 2 ** 31;
  };
  return (values) => {
    const value = values[Math.floor(next() * values.length)];
    if (value === undefined) throw new RangeError('there is nothing to choose from');
    return value;
  };
}

type Choose = ReturnType<typeof makeChooser>;

const ids = ['1', '2', '3', '4', '5', '6', '7'];
const organizations = ['1', '2', '3', 'null'];
const titles = ["'a'", "'b'", "'c'", 'null'];
const moods = ["'calm'", "'busy'", 'null'];

/** Returns a statement that changes one row, and maybe the rows that refer to it. */
export function randomChange(choose: Choose): string {
  const id = choose(ids);
  const project = () => `(select id from project where id >= ${choose(ids)} order by id limit 1)`;
  const task = () => `(select id from task where id >= ${choose(ids)} order by id limit 1)`;
  const flag = choose(['true', 'false']);
  return choose([
    `update project set organization_id = ${choose(organizations)} where id = ${id}`,
    `update project set title = ${choose(titles)} where id = ${id}`,
    `update project set mood = ${choose(moods)}, deleted = ${flag} where id = ${id}`,
    `update project set owner_id = ${choose(ids)} where id = ${id}`,
    `delete from project where id = ${id}`,
    `insert into project values (${id}, ${choose(organizations)}, 1, ${choose(titles)}, ${choose(moods)}, false)
       on conflict do nothing`,
    `update task set project_id = ${project()} where id = ${id}`,
    `update task set parent_id = ${task()} where id = ${id}`,
    `update task set title = ${choose(titles)}, amount = ${choose(ids)} where id = ${id}`,
    `delete from task where id = ${id}`,
    `insert into task values (${id}, ${project()}, ${task()}, ${choose(titles)}, 2) on conflict do nothing`,
    `update note set task_id = ${task()} where id::text like '%${id}'`,
    `update note set body = ${choose(titles)} where id::text like '%0${id}'`,
    `insert into note values (gen_random_uuid(), ${task()}, ${choose(titles)})`,
    `update membership set active = ${flag} where id = ${id}`,
    `update membership set person_id = ${choose(ids)}, organization_id = ${choose(organizations)} where id = ${id}`,
    `insert into membership values (${id}, ${choose(ids)}, ${choose(organizations)}, ${flag}) on conflict do nothing`,
    `update organization set name = ${choose(titles)} where id = ${id}`,
  ]);
}

/** A subscription for a role, and the session variables of its caller. */
export interface RandomSubscription {
  readonly role: string;
  readonly variables: Readonly<Record<string, string>>;
  readonly query: string;
}

export function randomSubscription(choose: Choose): RandomSubscription {
  const role = choose(['member', 'lister', 'either', 'granted', 'combined']);
  const variables = {
    'Organization-Id': choose(['1', '2', '3']),
    'Organization-Ids': choose(['{1,2}', '{3}', '{}', '{2,NULL}']),
    'User-Id': choose(['1', '2', '3']),
  };
  return { role, variables, query: `subscription { ${rootField(choose, role)} }` };
}

function rootField(choose: Choose, role: string): string {
  const project = () => `{ id mood ${below(choose, role)} }`;
  const ordered = 'order_by: {id: asc}';
  const roots = [
    () => `project(${ordered}, where: ${projectWhere(choose)}) ${project()}`,
    () => `project_by_pk(id: ${choose(ids)}) ${project()}`,
    () => `project_aggregate(where: ${projectWhere(choose)}) { aggregate { count } }`,
    () => `project(order_by: [{title: asc}, {id: asc}], limit: 2) { id title }`,
    ...(role === 'combined' ? [] : taskRoots(choose, role)),
  ];
  return choose(roots)();
}

function taskRoots(choose: Choose, role: string): readonly (() => string)[] {
  const where = () => taskWhere(choose);
  const note = role === 'granted' ? '' : 'notes(order_by: {id: asc}) { body }';
  return [
    () => `task(order_by: {id: asc}, where: ${where()}) { title amount ${note} }`,
    () => `task(order_by: [{project: {title: desc}}, {id: asc}], limit: 3) { id }`,
    () => `task_by_pk(id: ${choose(ids)}) { title project { title } ${note} }`,
    () => `task_aggregate(where: ${where()}) { aggregate { count sum { amount } } }`,
  ];
}

function below(choose: Choose, role: string): string {
  if (role === 'combined') return 'title';
  return choose([
    'title',
    'tasks(order_by: {id: asc}) { title }',
    `tasks_aggregate(where: ${taskWhere(choose)}) { aggregate { count } }`,
  ]);
}

function projectWhere(choose: Choose, depth = 0): string {
  const nested = () => projectWhere(choose, depth + 1);
  const leaves = [
    () => `{id: {_eq: ${choose(ids)}}}`,
    () => `{organization_id: {_in: [${choose(ids)}, ${choose(ids)}]}}`,
    () => `{title: {_eq: ${choose(['"a"', '"b"'])}}}`,
    () => `{mood: {_neq: ${choose(['calm', 'busy'])}}}`,
    () => `{mood: {_eq: calm}, id: {_gt: 1}}`,
    () => '{}',
  ];
  const branches = [
    () => `{_and: [${nested()}, ${nested()}]}`,
    () => `{_or: [${nested()}, ${nested()}]}`,
    () => `{_not: ${nested()}}`,
  ];
  return choose(depth < 2 ? [...leaves, ...branches] : leaves)();
}

function taskWhere(choose: Choose): string {
  return choose([
    () => `{project_id: {_eq: ${choose(ids)}}}`,
    () => `{project: ${projectWhere(choose)}}`,
    () => `{_not: {project: ${projectWhere(choose)}}}`,
    () => `{tasks: {project_id: {_eq: ${choose(ids)}}}}`,
    () => `{tasks_aggregate: {count: {predicate: {_gt: 1}, filter: {project_id: {_in: [1, 2]}}}}}`,
    () => `{id: {_in: [${choose(ids)}, ${choose(ids)}]}, amount: {_gt: 0}}`,
  ])();
}
