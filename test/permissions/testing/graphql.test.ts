import { expect, test } from 'vitest';
import { people, rules, useNotes } from './notes.ts';

const notes = useNotes();

const facts = `${people}  - test: each caller reaches only rows of its team
    matrix:
      ann: { draft: [select, update, delete], published: [select, delete] }
  - test: each role does only this
    may:
      reader: { select: [body, status], aggregate: false }
      ann: { select: '*', insert: [status, body, size, due], update: [status, body, size], delete: true, aggregate: true }
  - test: a note is inserted
    as: ann
    insert: { status: review, body: hello, size: 2.5, due: "2030-01-01T00:00:00Z" }
    written: { author: ann }
  - test: a published note is not inserted
    as: ann
    insert: { status: published }
    refused: check
  - test: an author is not given
    as: ann
    insert: { author: bob }
    refused: preset
  - test: a draft is changed
    as: ann
    update: draft
    set: { status: review }
  - test: a note of another team is not changed
    as: ann
    update: blue_one
    set: { body: x }
    refused: row
  - test: a draft is deleted
    as: ann
    delete: draft
`;

test('the tests hold over GraphQL too, on the rows and rules of the same transaction', async () => {
  const { stdout, stderr, code } = await notes.run({ note: facts }, ['--graphql']);
  expect({ stdout, stderr, code }).toEqual({
    stdout: '9 of 9 expectations in 1 file hold\n',
    stderr: '',
    code: 0,
  });
  expect((await notes.installation.owner.query('select from note')).rowCount).toBe(0);
});

test('a difference between SQL and GraphQL fails a test', async () => {
  // The limit exists over GraphQL alone.
  const limited = (rules['tables/note.yaml'] ?? '').replace(
    'allow_aggregations: true',
    'allow_aggregations: true\n      limit: 0',
  );
  const files = { note: facts };
  const { stdout, code } = await notes.run(files, ['--graphql'], { 'tables/note.yaml': limited });
  expect(stdout).toMatch(/ann over GraphQL: does not see: draft, published/);
  expect(code).toBe(1);
  expect((await notes.run(files, [], { 'tables/note.yaml': limited })).code).toBe(0);
});
