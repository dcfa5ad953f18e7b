import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Answer, type Gateway, startGateway } from './support/gateway.ts';

/** Ways to fail. Which one occurs depends on a hidden row, so different errors would reveal the row. */
const failures = {
  '22003': `(what || '99999999999')::int4::text`,
  '22007': `('x' || what)::date::text`,
  '22008': `'2024-99-99'::date::text || what`,
  '22011': `substr(what, 1, -1)`,
  '22012': `(1 / (length(what) - 5))::text`,
  '22025': String.raw`(what like left(what, 1) || '\')::text`,
  '2201B': `regexp_replace(what, '(', '')`,
  '22P02': `('x' || what)::int4::text`,
  '54000': `array_fill(1, '{1,1,1,1,1,1,1}')::text || what`,
} as const;

const cases = Object.entries(failures).map(([code, how]) => `when '${code}' then return ${how};`);

const schema = `
create table note (id int primary key, owner text not null, how text not null);
create table hidden (id int primary key, what text not null);
insert into hidden values (1, '12345');
insert into note values (1, 'ann', '22012');
create function fail_as(how text, what text) returns text language plpgsql stable as $$
declare narrow varchar(3);
begin case how
  when '22001' then narrow := what; return narrow;
  ${cases.join('\n  ')}
  else return how; end case; end $$;
create function label(n note) returns text language sql stable
  as $$ select fail_as(n.how, (select what from hidden)) $$;
create function size(n note) returns int language sql stable
  as $$ select length(fail_as(n.how, (select what from hidden))) $$;
create function others(n note) returns setof note language sql stable
  as $$ select note.* from note where fail_as(n.how, (select what from hidden)) <> '' $$;
create function is_fine(n note) returns boolean language sql stable
  as $$ select fail_as(n.how, (select what from hidden)) <> '' $$;
create function fail_query(how text) returns setof note language sql stable
  as $$ select note.* from note where fail_as(fail_query.how, (select what from hidden)) <> '' $$;
create function fail_mutation(how text) returns setof note language sql volatile
  as $$ select note.* from note where fail_as(fail_mutation.how, (select what from hidden)) <> '' $$;
create function own_label(n note) returns text language sql stable
  as $$ select fail_as(n.how, '12345') $$;
revoke execute on all functions in schema public from public;
grant execute on function fail_as(text, text) to public;
`;

const owned = (name: string) => `function: ${name}\npermissions: [user]\nrights: owner\n`;

const metadata = {
  'roles.yaml': 'roles: { user: {}, ruled: {}, plain: {} }\n',
  'tables/note.yaml': `table: note
computed_fields:
  label: { function: label, rights: owner }
  size: { function: size, rights: owner }
  others: { function: others, rights: owner }
  own_label: { function: own_label, rights: caller }
  is_fine: { function: is_fine, rights: owner }
permissions:
  user:
    select: { filter: {}, columns: '*', computed_fields: [label, size], allow_aggregations: true }
    insert: { check: {}, columns: '*' }
    update: { filter: {}, columns: [how] }
  ruled: { select: { filter: { is_fine: true }, columns: '*' } }
  plain: { select: { filter: {}, columns: '*', computed_fields: [own_label] } }
`,
  'functions/fail_query.yaml': owned('fail_query'),
  'functions/fail_mutation.yaml': owned('fail_mutation'),
};

let gateway: Gateway;
let setHow: (how: string) => Promise<unknown>;
beforeAll(async () => {
  gateway = await startGateway({ schema, metadata });
  const owner = await gateway.database.connectOwner();
  setHow = (how) => owner.query('update note set how = $1', [how]);
});
afterAll(() => gateway.stop());

const codes = ['22001', ...Object.keys(failures)];

/** Returns the errors of the same query, once for each way to fail. */
async function answersOf(query: string, role: string): Promise<readonly unknown[]> {
  const answers: Answer['errors'][] = [];
  for (const how of codes) {
    await setHow(how);
    answers.push((await gateway.ask(query.replaceAll('HOW', how), { role })).errors);
  }
  return answers;
}

const message = 'a value does not suit its type, or a function of the database fails on its values';

describe('a function with the rights of its owner (SECURITY DEFINER) causes the same error whatever fails inside', () => {
  test.each([
    ['as a root field', '$', '{ fail_query(args: { how: "HOW" }) { id } }'],
    [
      'as a root field that is aggregated',
      '$',
      '{ fail_query_aggregate(args: { how: "HOW" }) { aggregate { count } } }',
    ],
    ['as a computed field', '$', '{ note { id label } }'],
    ['as a computed field of one row', '$', '{ note_by_pk(id: 1) { label } }'],
    ['as a computed field with rows', '$', '{ note { others { id } } }'],
    ['in a condition', '$', '{ note(where: { label: { _neq: "x" } }) { id } }'],
    ['in a condition on rows', '$', '{ note(where: { others: { id: { _eq: 1 } } }) { id } }'],
    ['in an ordering', '$', '{ note(order_by: [{ label: asc }]) { id } }'],
    ['in an aggregate', '$', '{ note_aggregate { aggregate { sum { size } } } }'],
    [
      'beside a condition on a column',
      '$',
      '{ note(where: { id: { _eq: 1 }, label: { _neq: "x" } }) { how } }',
    ],
  ])('%s', async (_, path, query) => {
    const error = { message, extensions: { code: 'data-exception', path } };
    expect(await answersOf(query, 'user')).toEqual(codes.map(() => [error]));
  });

  test.each([
    ['as a mutation', 'mutation { fail_mutation(args: { how: "HOW" }) { id } }'],
    [
      'as a computed field in the result of a mutation',
      'mutation { update_note(where: {}, _set: { how: "HOW" }) { returning { label } } }',
    ],
    [
      'in the condition of a mutation',
      'mutation { update_note(where: { label: { _neq: "x" } }, _set: { how: "fine" }) { affected_rows } }',
    ],
  ])('%s', async (_, query) => {
    const [first, ...others] = await answersOf(query, 'user');
    expect(first).toMatchObject([{ message, extensions: { code: 'data-exception' } }]);
    expect(others).toEqual(others.map(() => first));
  });

  test('in the filter of a rule', async () => {
    const error = { message, extensions: { code: 'data-exception', path: '$' } };
    expect(await answersOf('{ note { id } }', 'ruled')).toEqual(codes.map(() => [error]));
  });
});

test('a failure inside a function with the rights of the caller is reported with the message of Postgres', async () => {
  await setHow('22012');
  const { errors } = await gateway.ask('{ note { own_label } }', { role: 'plain' });
  expect(errors).toMatchObject([{ message: 'division by zero' }]);
});

test('a failure inside a function with the rights of its owner is reported to admin with the message of Postgres', async () => {
  await setHow('22P02');
  const { errors } = await gateway.ask('{ note { label } }');
  expect(errors).toMatchObject([{ message: expect.stringContaining('"x12345"') }]);
});
