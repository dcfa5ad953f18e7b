import { describe, expect, test } from 'vitest';
import { mutators } from '../../../permissions/testing/mutate/make-mutants.ts';
import { people, useNotes } from './notes.ts';

const notes = useNotes();

const weak = `${people}  - test: a reader sees published notes
    list: { reader: [published] }
  - test: ann sees notes of her team
    list: { ann: [draft, published] }
`;

/** Returns the lines of the output about one mutator. */
const linesOf = (stdout: string, mutator: string) =>
  stdout.split('\n').filter((line) => line.includes(` ${mutator}: `));

describe('weakened rules', () => {
  test('that no test notices are listed with their place, for each kind of change', async () => {
    const { code, stdout } = await notes.run({ note: weak }, ['--mutate']);
    const shown = Object.keys(mutators).filter((one) => linesOf(stdout, one).length > 0);
    expect(shown).toEqual(Object.keys(mutators).filter((one) => one !== 'relationship shortened'));
    expect(stdout).toMatch(
      /tables\/note\.yaml:\d+:\d+ column added: reader select on note with the column id too/,
    );
    expect(stdout).toMatch(/preset removed: writer insert on note without its preset of author/);
    expect(stdout).toMatch(/mutation score [\d.]+ %: \d+ of \d+ changed rules are noticed/);
    expect(code).toBe(1);
  });

  test('that a test notices are not listed', async () => {
    const { stdout } = await notes.run({ note: weak }, ['--mutate']);
    const ofReader = linesOf(stdout, 'condition dropped').filter((line) =>
      line.includes('reader select'),
    );
    // A row of another team shows that the condition on the team counts, and a draft that the one on the status does.
    expect(ofReader).toEqual([]);
  });

  test('fail the command only below the demanded score', async () => {
    expect((await notes.run({ note: weak }, ['--mutate', '--min-score', '1'])).code).toBe(0);
    expect((await notes.run({ note: weak }, ['--mutate', '--min-score', '99'])).code).toBe(1);
  });

  test('are not made when a test fails without them', async () => {
    const failing = weak.replace('reader: [published]', 'reader: []');
    const { code, stdout } = await notes.run({ note: failing }, ['--mutate']);
    expect(stdout).not.toContain('mutation score');
    expect(code).toBe(1);
  });

  test('that add columns or operations are noticed by the printed test', async () => {
    const before = await notes.run({ note: weak }, ['--mutate']);
    const lines = before.stdout.split('\n');
    const at = lines.findIndex((line) => line.includes('column added: reader select on note'));
    const pasted = lines.slice(at + 4, lines.indexOf('', at)).map((line) => line.slice(4));
    const { stdout } = await notes.run({ note: `${weak}${pasted.join('\n')}\n` }, ['--mutate']);
    const left = [...linesOf(stdout, 'column added'), ...linesOf(stdout, 'operation added')];
    expect(left.filter((line) => line.includes(': reader ') && line.includes(' note '))).toEqual(
      [],
    );
    expect(pasted[0]).toBe('  - test: reader may do nothing else with rows of note');
  });

  test('leave the rules as they were', async () => {
    await notes.installation.apply();
    await notes.run({ note: weak }, ['--mutate']);
    expect(await notes.installation.pending()).toEqual([]);
  });
});

describe('a relationship', () => {
  const changed = {
    'tables/note.yaml': `table: note
relationships:
  team: { column: team_id }
permissions:
  reader: { select: { filter: { team: { name: { _eq: Red } } }, columns: [body] } }
`,
  };

  test('that leads to any row is noticed by a row that only it lets through', async () => {
    const blind = people.replace(
      '    blue_one: { _like: published, team_id: $blue, author: bob }\n',
      '',
    );
    const seen = '  - test: a reader sees notes of Red\n    list: { reader: [draft, published] }\n';
    const before = await notes.run({ note: `${forReader(blind)}${seen}` }, ['--mutate'], changed);
    expect(linesOf(before.stdout, 'relationship shortened')).toHaveLength(1);
    const after = await notes.run({ note: `${forReader(people)}${seen}` }, ['--mutate'], changed);
    expect(linesOf(after.stdout, 'relationship shortened')).toEqual([]);
  });

  /** The changed rules have no use for the user. */
  function forReader(file: string): string {
    return file.replace(/ {2}ann:.*\n/, '');
  }
});

describe('coverage', () => {
  test('lists rules that no test exercises, and conditions without effect on any test', async () => {
    const { stdout, code } = await notes.run({ note: weak }, ['--coverage']);
    expect(stdout).toMatch(/note\.yaml:\d+:\d+ no test exercises writer delete on note/);
    expect(stdout).toMatch(/no test exercises sender update on note/);
    expect(stdout).not.toContain('no test exercises reader select on note');
    expect(stdout).toContain('no test notices when writer update on note holds with every row');
    expect(stdout).toMatch(/covered: 2 of 7 rules, \d+ of \d+ conditions/);
    expect(code).toBe(0);
  });
});

describe('the formats of CI systems', () => {
  const mixed = `${weak}  - test: 'a <wrong> fact # one'
    list: { reader: [] }
`;

  test('include TAP', async () => {
    const { stdout, code } = await notes.run({ note: mixed }, ['--format', 'tap']);
    const lines = stdout.split('\n');
    expect(lines.slice(0, 3)).toEqual([
      'TAP version 14',
      '1..3',
      'ok 1 - a reader sees published notes (list of note as reader)',
    ]);
    expect(lines[4]).toBe('not ok 3 - a <wrong> fact \\# one (list of note as reader)');
    expect(lines).toContain('  message: "also sees: published"');
    expect(code).toBe(1);
  });

  test('include JUnit', async () => {
    const { stdout, code } = await notes.run({ note: mixed }, ['--format', 'junit']);
    expect(stdout).toMatch(/<testsuite name="[^"]*tests\/note\.yaml" tests="3" failures="1">/);
    expect(stdout).toContain('name="a &#60;wrong&#62; fact # one (list of note as reader)"');
    expect(stdout).toContain('<failure message="also sees: published"/>');
    expect(code).toBe(1);
  });
});
