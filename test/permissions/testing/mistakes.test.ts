import { describe, expect, test } from 'vitest';
import { people, useNotes } from './notes.ts';

const notes = useNotes();

const one = (body: string) => `${people}  - test: a fact\n    ${body}\n`;

const seen = one('list: { reader: [published] }');

describe('a mistake in a file of tests', () => {
  test.each([
    [
      'a table',
      one('table: nte\n    list: { reader: [] }'),
      'RG_UNKNOWN_TABLE the metadata has no table "nte"; did you mean "note"?',
    ],
    [
      'a principal',
      one('list: { readr: [] }'),
      'RG_TEST no principal is called "readr"; did you mean "reader"?',
    ],
    [
      'a row',
      one('list: { reader: [drft] }'),
      'no row of public.note is called "drft"; did you mean "draft"?',
    ],
    [
      'a column',
      one('as: ann\n    insert: { bdy: x }'),
      'column "bdy" does not exist on public.note; did you mean "body"?',
    ],
    [
      'a value',
      one('as: ann\n    insert: { size: many }'),
      'RG_BAD_VALUE "many" is no value of type numeric',
    ],
    [
      'a reference',
      one('as: ann\n    insert: { size: $redd }'),
      'no row above is called "redd"; did you mean "red"?',
    ],
    [
      'a key',
      one('as: ann\n    insrt: { size: 1 }'),
      'RG_UNKNOWN_KEY unknown key "insrt" in item 1 of "tests"; did you mean "insert"?',
    ],
    [
      'a kind',
      one('as: ann'),
      'a test must have one of may, matrix, list, aggregates, insert, update, delete, but has none of them',
    ],
    [
      'two kinds',
      one('list: { reader: [] }\n    matrix: { reader: {} }'),
      'but has "matrix" and "list"',
    ],
    [
      'a key without effect',
      one('as: ann\n    delete: draft\n    set: { body: x }'),
      '"set" has no effect in this test',
    ],
    ['a write without a principal', one('delete: draft'), 'delete needs "as"'],
    [
      'a reason',
      one('as: ann\n    delete: draft\n    refused: filter'),
      'must be operation, column, preset, row, check, variable, constraint, trigger',
    ],
    [
      'a role',
      seen.replace('role: reader', 'role: redr'),
      'RG_UNKNOWN_ROLE roles.yaml does not declare the role "redr"; did you mean "reader"?',
    ],
    [
      'a variable',
      seen.replace('X-Gql-Team-Id: $red', 'X-Gql-Tean-Id: $red'),
      'no rule reads the session variable "X-Gql-Tean-Id"; did you mean "X-Gql-Team-Id"?',
    ],
    [
      'a row name that is taken',
      seen.replace('    blue:', '    note_1: { id: 3, name: x }\n    note_1:'),
      'RG_DUPLICATE_KEY',
    ],
    ['a used file', `uses: [peopel]\n${seen}`, 'there is no file "peopel.yaml" among the tests'],
    ['a time', `now: tomorrow\n${seen}`, '"now" must be a time such as'],
  ])('in %s is reported with its place', async (_what, file, message) => {
    const { code, stderr } = await notes.run({ note: file });
    expect(stderr).toContain(message);
    expect(stderr).toMatch(/tests\/note\.yaml:\d+:\d+ RG_/);
    expect(code).toBe(1);
  });

  test('does not stop other commands, which read no tests', async () => {
    await notes.run({ note: 'tests: 7' });
    expect(await notes.installation.pending()).not.toEqual([]);
  });

  test('of the folder is reported', async () => {
    const { code, stderr } = await notes.run({});
    expect(stderr).toContain('tests:1:1 RG_FILE_UNREADABLE the path does not exist');
    expect(code).toBe(2);
  });
});

describe('an option', () => {
  test.each([
    [['--format', 'html'], '--format must be text, tap, junit'],
    [['--min-score', '90'], '--min-score has no effect without --mutate'],
    [['--mutate', '--min-score', 'high'], '--min-score must be a number from 0 to 100'],
    [['--mutate', '--format', 'tap'], '--format tap reports the tests alone'],
    [['--mutate', 'note'], '--mutate and --coverage need the tests of all files'],
  ])('%j is refused', async (args, message) => {
    const { code, stderr } = await notes.run({ note: people }, args);
    expect(stderr).toContain(message);
    expect(code).toBe(2);
  });

  test('can name one file', async () => {
    const files = {
      note: one('list: { reader: [published] }'),
      other: one('list: { reader: [] }'),
    };
    expect((await notes.run(files, ['note'])).code).toBe(0);
    const { stderr } = await notes.run(files, ['nte']);
    expect(stderr).toContain('there is no file "nte.yaml" among the tests; did you mean "note"?');
  });
});
