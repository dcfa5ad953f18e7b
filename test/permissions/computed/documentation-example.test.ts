import { afterAll, beforeAll, expect, test } from 'vitest';
import { readPage } from '../../support/documentation.ts';
import { type Installation, install } from '../support/installation.ts';
import { removeMetadata } from '../support/metadata-files.ts';

const { text } = readPage('docs/operators/computed-fields.md');
// The page first creates its tables inside an HTML comment. The example starts after that comment.
const page = text.slice(text.indexOf('-->'));
const block = (language: string) =>
  new RegExp(`\`\`\`${language}\n([^\`]*)\`\`\``).exec(page)?.[1] ?? '';

const tables = `
create table student_mark (id integer primary key, maths integer not null, physics integer not null, tutor text not null);
create table remark (id integer primary key, mark_id integer not null references student_mark, words text not null);
`;
const rows = `
insert into student_mark values (1, 30, 30, 'ted'), (2, 10, 20, 'ted'), (3, 40, 40, 'tom');
insert into remark values (1, 1, 'fair'), (2, 2, 'very good');
`;

let made: Installation;
beforeAll(async () => {
  made = await install({
    schema: tables + block('sql') + rows,
    rules: {
      'roles.yaml': 'roles: { tutor: {}, reader: {} }\n',
      'tables/student_mark.yaml': block('yaml'),
      'tables/remark.yaml':
        'table: remark\npermissions: { tutor: { select: { filter: {}, columns: "*" } } }\n',
    },
  });
});
afterAll(async () => {
  await made.drop();
  await removeMetadata();
});

test('the SQL and YAML example of docs/operators/computed-fields.md lets the role tutor select total_marks', async () => {
  const sql = 'select id, public.total_marks(m) from public.student_mark m';
  expect((await made.ask('tutor', { user_id: 'ted' }, sql)).rows).toEqual([['1', '60']]);
});

test('that example filters rows by a computed field, and offers its row function only to roles that may read remarks', async () => {
  const { rows: found } = await made.ask('reader', {}, 'select id from public.student_mark');
  expect(found).toEqual([['2']]);
  const model = await made.model();
  const open = [...model.roles.values()].map((role) => [
    role.name,
    role.tables.get('public.student_mark')?.computedRows,
  ]);
  expect(Object.fromEntries(open)).toEqual({
    tutor: ['remarks_with'],
    reader: [],
    admin: ['remarks_with'],
  });
});
