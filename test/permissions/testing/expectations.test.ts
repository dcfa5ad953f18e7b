import { describe, expect, test } from 'vitest';
import { people, useNotes } from './notes.ts';

const notes = useNotes();

const matrix = `  - test: each caller reaches only rows of its team
    matrix:
      reader: { published: [select] }
      ann: { draft: [select, update, delete], published: [select, delete] }
      sender: { draft: [update], published: [update] }
`;

describe('tests that hold', () => {
  test('of every kind pass with exit code 0', async () => {
    const { code, stdout, stderr } = await notes.run({
      note: `${people}${matrix}  - test: each role does only this
    may:
      reader: { select: [status, body] }
      ann:
        select: '*'
        insert: [status, body, size, due]
        update: [status, body, size]
        delete: true
        aggregate: true
      sender: { update: [body] }
  - test: each caller sees the notes of its team
    list:
      reader: [published]
      ann: [draft, published]
      sender: []
  - test: aggregates are over visible rows
    aggregates:
      ann: { count: 2, sum: { size: 5 }, min: { size: 2 }, max: { status: published } }
  - test: a new note belongs to its author
    as: ann
    insert: { status: review, body: hello }
    written: { author: ann, team_id: $red, status: review, due: null }
  - test: a copied note gives the columns that the rule lists
    as: ann
    insert: { _like: draft, body: copied }
    written: { author: ann, size: 2 }
  - test: an author changes a draft
    as: ann
    update: draft
    set: { status: review }
    written: { status: review, author: ann }
  - test: a caller who sees nothing changes a row
    as: sender
    update: draft
    set: { body: sent }
  - test: an author deletes a note
    as: ann
    delete: draft
`,
    });
    expect({ code, stderr, stdout }).toEqual({
      code: 0,
      stderr: '',
      stdout: '15 of 15 expectations in 1 file hold\n',
    });
  });

  test('name the reason of each refusal', async () => {
    const refused = (title: string, body: string) => `  - test: ${title}\n    ${body}\n`;
    const { stdout, code } = await notes.run({
      note: `${people}${matrix}${[
        refused(
          'reader has no insert',
          'as: reader\n    insert: { body: x }\n    refused: operation',
        ),
        refused('id is not listed', 'as: ann\n    insert: { id: 7 }\n    refused: column'),
        refused('author is preset', 'as: ann\n    insert: { author: bob }\n    refused: preset'),
        refused(
          'blue is hidden',
          'as: ann\n    update: blue_one\n    set: { body: x }\n    refused: row',
        ),
        refused(
          'status is checked',
          'as: ann\n    insert: { status: published }\n    refused: check',
        ),
        refused(
          'size is not negative',
          'as: ann\n    insert: { size: -1 }\n    refused: constraint',
        ),
        refused('a locked body', 'as: ann\n    insert: { body: locked }\n    refused: trigger'),
        refused('a delete of another', 'as: ann\n    delete: blue_one\n    refused: row'),
      ].join('')}`,
    });
    expect(stdout).toBe('11 of 11 expectations in 1 file hold\n');
    expect(code).toBe(0);
  });

  test('name a preset whose variable is missing', async () => {
    const { stdout } = await notes.run({
      note: `${people.replace('X-Gql-User-Id: ann, ', '')}${matrix.replace(/ {6}ann:.*\n/, '')}  - test: without a user no note is written
    as: ann
    insert: { body: x }
    refused: variable
`,
    });
    expect(stdout).toBe('3 of 3 expectations in 1 file hold\n');
  });

  test('leave rows, rules and roles as they were', async () => {
    const count = async () => (await notes.installation.owner.query('select from note')).rowCount;
    const before = [await count(), await notes.installation.pending()];
    await notes.run({ note: `${people}${matrix}` });
    expect([await count(), await notes.installation.pending()]).toEqual(before);
  });

  test('concern the rules of the folder, whether or not they are applied', async () => {
    await notes.installation.apply();
    const changed = {
      'tables/note.yaml': `table: note
permissions:
  reader: { select: { filter: { team_id: { _eq: X-Gql-Team-Id } }, columns: [body, status] } }
`,
    };
    const { stdout } = await notes.run({ note: `${people}${matrix}` }, [], changed);
    expect(stdout).toContain('reader also sees: draft');
  });
});

describe('tests that fail', () => {
  test.each([
    ['a row too many', 'matrix: { reader: {} }', 'reader also sees: published'],
    ['a row too few', 'list: { reader: [draft, published] }', 'reader does not see: draft'],
    [
      'an operation',
      'matrix: { sender: { draft: [update] } }',
      'sender may also update: published',
    ],
    [
      'a column too many',
      'may: { reader: { select: [body] } }',
      'may also select the columns: status',
    ],
    [
      'a column too few',
      'may: { sender: { update: [body, size] } }',
      'may not update the columns: size',
    ],
    ['a rule too many', 'may: { sender: {} }', 'sender may update, with the columns body'],
    [
      'a rule too few',
      'may: { sender: { select: [body], update: [body] } }',
      'sender may not select',
    ],
    ['an aggregate', 'aggregates: { ann: { count: 3, sum: { size: 4 } } }', 'ann count is 2'],
    [
      'a write that is allowed',
      'as: ann\n    delete: draft\n    refused: row',
      'the delete is allowed',
    ],
    [
      'a write that is refused',
      'as: ann\n    insert: { status: published }',
      'the insert is refused by check',
    ],
    [
      'a written value',
      'as: ann\n    insert: { body: x }\n    written: { author: bob }',
      'author of the written row is ann',
    ],
    [
      'a refusal by the select rule alone',
      'as: late\n    update: overdue\n    set: { body: x }\n    refused: row',
      'the update is refused by the select rule alone',
    ],
  ])('name %s', async (_title, body, line) => {
    const head = people
      .replace(
        '  ann:',
        '  late: { role: writer, variables: { X-Gql-User-Id: ann, X-Gql-Team-Id: $red } }\n  ann:',
      )
      .replace('tests:', '    overdue: { team_id: $blue, author: ann }\ntests:');
    const { code, stdout } = await notes.run({ note: `${head}  - test: a fact\n    ${body}\n` });
    expect(stdout).toContain(line);
    expect(stdout).toMatch(/tests\/note\.yaml:\d+:\d+ a fact \(/);
    expect(code).toBe(1);
  });

  test('include a table of which no principal sees or writes a row', async () => {
    const { code, stdout } = await notes.run({
      note: `${people}  - test: sender sees nothing\n    list: { sender: [] }\n`,
    });
    expect(stdout).toContain('no test shows a row of public.note to any principal');
    expect(code).toBe(1);
  });
});

describe('the rows of a file', () => {
  test('can be those of the database, named by their key', async () => {
    const { owner } = notes.installation;
    await owner.query(`insert into team values (1, 'One'), (2, 'Two');
      insert into note (id, team_id, status) values (1, 1, 'published'), (2, 2, 'published')`);
    const { stdout } = await notes.run({
      note: `table: note
principals:
  reader: { role: reader, variables: { X-Gql-Team-Id: 1 } }
existing:
  note: { first: 1, second: 2 }
tests:
  - test: named rows
    matrix: { reader: { first: [select] } }
`,
      all: `table: note
principals:
  reader: { role: reader, variables: { X-Gql-Team-Id: 1 } }
tests:
  - test: all rows by key
    list: { reader: [1] }
`,
    });
    await owner.query('truncate note, team');
    expect(stdout).toBe('2 of 2 expectations in 2 files hold\n');
  });

  test('are inserted without triggers when the file says so', async () => {
    const head = people.replace('author: ann, size: 2', 'author: ann, size: 2, body: locked');
    const refused = await notes.run({ note: `${head}${matrix}` });
    expect(refused.stderr).toContain('Postgres refuses the row "draft": a locked body');
    const { stdout } = await notes.run({ note: `triggers: false\n${head}${matrix}` });
    expect(stdout).toBe('3 of 3 expectations in 1 file hold\n');
  });

  test('and principals come from the files that it uses', async () => {
    const [head = '', rest = ''] = [
      people.replace('tests:\n', ''),
      `table: note\nuses: [people]\ntests:\n${matrix}`,
    ];
    const { stdout } = await notes.run({ people: head, note: rest });
    expect(stdout).toBe('3 of 3 expectations in 1 file hold\n');
  });
});

describe('the time', () => {
  const dated = people.replace('size: 2 }', 'size: 2, due: "2025-06-01T00:00:00Z" }');
  const seen = '  - test: ann sees notes that are not due\n    list: { ann: [draft, published] }\n';

  test('is that of the file', async () => {
    const before = await notes.run({ note: `now: "2025-05-31T23:59:59Z"\n${dated}${seen}` });
    expect(before.stdout).toBe(
      '1 of 1 expectations in 1 file hold\n'.replace('expectations', 'expectation'),
    );
    const after = await notes.run({ note: `now: "2025-06-01T00:00:00Z"\n${dated}${seen}` });
    expect(after.stdout).toContain('ann does not see: draft, published');
  });

  test('is refused where no rule reads it', async () => {
    const { stderr, code } = await notes.run({
      team: `table: team
now: "2025-05-31T23:59:59Z"
principals: { reader: { role: reader, variables: { X-Gql-Team-Id: $red } } }
fixtures: { team: { red: { id: 901, name: Red } } }
tests:
  - test: a reader sees the team
    list: { reader: [red] }
`,
    });
    expect(stderr).toContain('"now" has no effect: no rule of the tested tables reads the time');
    expect(code).toBe(1);
  });
});
