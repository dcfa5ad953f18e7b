import { afterAll, beforeAll, expect, test } from 'vitest';
import { graphqlName } from '../../../permissions/text/names.ts';
import { ident } from '../../../permissions/text/sql-text.ts';
import type { Finished } from '../../support/rowgate.ts';
import { openPlace, type Place } from './place.ts';

const names = [
  ...['it\'s "quoted"', '..', '../../etc/passwd', 'a/b', 'back\\slash', '.hidden', '-rf', '~', '*'],
  ...[
    'select',
    'null',
    'true',
    'yes',
    '__proto__',
    'constructor',
    '#hash',
    '&anchor',
    '<<',
    '- item',
  ],
  ...[
    'MixedCase',
    'mixedcase',
    '💳',
    'grüße',
    ' lead',
    'a: b',
    '{{x}}',
    '%s',
    'CON',
    'a b',
    'a-b',
    'a_b',
  ],
  ...['a_b_aggregate', 'order_by', 'odd.name', 'x'.repeat(63), '1st'],
];
const columns = ['_and', 'a b', 'a-b', 'null', '<<', '# no', "it's", 'ü', 'x'.repeat(63)];

const create = [
  ...names.map(
    (name) =>
      `create table ${ident(name).text} (id int primary key, ${columns
        .map((column) => `${ident(column).text} text`)
        .join(', ')})`,
  ),
  `create table "line\nbreak" (id int primary key)`,
  `create table "override\u202e" (id int primary key)`,
  `create table odd_column (id int primary key, "new\nline" int references odd_column, "tab\t" text)`,
  `create table bare ()`,
  `create schema "a"`,
  `create table a.b (id int primary key, "a/b" int references "a/b", unique (id, "a/b"))`,
  `create schema "odd.schema"`,
  `create table "odd.schema"."odd.name" (id int primary key, parent int references "odd.schema"."odd.name")`,
].join(';\n');

let place: Place;
let made: Finished;
beforeAll(async () => {
  place = await openPlace(create);
  made = await place.init('--role', 'ro"le: 💳');
});
afterAll(() => place.drop());

test('init writes one file with a safe name for every table that can have rules', async () => {
  expect(made).toMatchObject({ code: 0, stderr: '' });
  const files = Object.keys(await place.readAll()).filter((file) => file.includes('tables/'));
  expect(files.length).toBe(names.length + 3);
  expect(
    files.filter((file) => !/^metadata\/tables\/[A-Za-z0-9_][A-Za-z0-9_.-]*\.yaml$/.test(file)),
  ).toEqual([]);
  expect(new Set(files.map((file) => file.toLowerCase())).size).toBe(files.length);
});

test('init reports the tables without a file, with the reason', () => {
  expect(made.stdout.match(/^left out.*/gm)).toEqual([
    'left out bare: it has no column',
    'left out line\\u000abreak: its name holds the character U+000A',
    'left out override\\u202e: its name holds the character U+202E',
  ]);
});

test('init adds numbers to names that would clash in GraphQL', async () => {
  const texts = Object.values(await place.readAll());
  const written = texts.flatMap((text) => /^graphql:\n {2}name: (.*)/m.exec(text)?.[1] ?? []);
  expect(written).toContain(`${graphqlName('a_b')}_2`);
  expect(new Set(written).size).toBe(written.length);
});

test('check and apply accept the folder that init wrote', async () => {
  const checked = await place.run('check');
  expect(checked.stderr).not.toMatch(/^(?!.*\b(?:warnings?|notices?) ).+/m);
  expect(checked.code).toBe(0);
  expect(await place.run('apply', '--yes')).toMatchObject({ code: 0 });
});

test('a second run of init writes nothing', async () => {
  const before = await place.readAll();
  expect((await place.init()).stdout).toContain('nothing to write\n');
  expect(await place.readAll()).toEqual(before);
});
