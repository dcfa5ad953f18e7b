import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { addRule } from '../../../permissions/init/add-rule.ts';
import { openPlace, type Place } from './place.ts';

const rule = new Map([['filter', new Map([['_not', new Map()]])]]);
const added = { role: 'clerk', command: 'delete', rule };
const closed = '{ filter: { _not: {} } }';

describe('permission add, which inserts a rule into the text of a table file,', () => {
  test.each([
    [
      'a file without rules',
      'table: note # mine\n',
      `table: note # mine\npermissions:\n  clerk:\n    delete: ${closed}\n`,
    ],
    [
      'a file without a line break at its end',
      'table: note',
      `table: note\npermissions:\n  clerk:\n    delete: ${closed}\n`,
    ],
    [
      'rules of other roles, four spaces deep, with comments and a key after them',
      `# first\ntable:   note\npermissions:\n    boss:   # the boss\n        select: { filter: {},   columns: '*' }  # all\n    # end of rules\n\nevents: {}\n`,
      `# first\ntable:   note\npermissions:\n    boss:   # the boss\n        select: { filter: {},   columns: '*' }  # all\n    clerk:\n      delete: ${closed}\n    # end of rules\n\nevents: {}\n`,
    ],
    [
      'rules of the role',
      `table: note\npermissions:\n  clerk:\n    select:\n      filter: {}\n      columns:\n        - id # key\n  boss: { delete: { filter: {} } }\n`,
      `table: note\npermissions:\n  clerk:\n    select:\n      filter: {}\n      columns:\n        - id # key\n    delete: ${closed}\n  boss: { delete: { filter: {} } }\n`,
    ],
    [
      'rules of the role in braces',
      `table: note\npermissions:\n  clerk: { select: { filter: {}, columns: [id] } } # reads\n`,
      `table: note\npermissions:\n  clerk: { select: { filter: {}, columns: [id] }, delete: ${closed} } # reads\n`,
    ],
    [
      'all rules in braces',
      `table: note\npermissions: {}\n`,
      `table: note\npermissions: { clerk: { delete: ${closed} } }\n`,
    ],
    [
      'lines that end as on Windows',
      `table: note\r\npermissions:\r\n  boss: { delete: { filter: {} } }\r\n`,
      `table: note\r\npermissions:\r\n  boss: { delete: { filter: {} } }\r\n  clerk:\r\n    delete: ${closed}\r\n`,
    ],
    [
      'the commented examples of init',
      `table: note\n\n# Remove:\n# permissions:\n#   user: {}\n`,
      `table: note\npermissions:\n  clerk:\n    delete: ${closed}\n\n# Remove:\n# permissions:\n#   user: {}\n`,
    ],
  ])('keeps %s', (_, before, after) => {
    expect(addRule(before, added)).toBe(after);
  });

  test('is refused where it cannot insert into the form of the file', () => {
    expect(addRule('{ table: note }\n', added)).toBeUndefined();
    expect(addRule('table: note\npermissions: { boss: {} # one\n  }\n', added)).toBeUndefined();
  });
});

describe('rowgate permission add', () => {
  let place: Place;
  beforeAll(async () => {
    place = await openPlace(`
create table note (id int primary key generated always as identity, owner int, body text, token text);
create table other (id int primary key)`);
    await place.init('--table', 'note', '--role', 'clerk');
  });
  afterAll(() => place.drop());

  const add = (...words: readonly string[]) => place.run('permission', 'add', ...words);

  test('writes rules that show and change no rows, for every command, and check and apply accept them', async () => {
    for (const command of ['select', 'insert', 'update', 'delete']) {
      expect(await add('clerk', 'note', command)).toMatchObject({ code: 0, stderr: '' });
    }
    expect(await place.read('metadata/tables/note.yaml')).toContain(`permissions:
  clerk:
    select: { filter: { _not: {} }, columns: [ id, owner, body ] }
    insert: { check: { _not: {} }, columns: [ owner, body ] }
    update: { filter: { _not: {} }, columns: [ owner, body ] }
    delete: { filter: { _not: {} } }
`);
    expect(await place.run('apply', '--yes')).toMatchObject({ code: 0 });
  });

  test('refuses a rule that exists already and names its position', async () => {
    const before = await place.read('metadata/tables/note.yaml');
    const { code, stderr } = await add('clerk', 'note', 'select');
    expect(code).toBe(1);
    expect(stderr).toMatch(/clerk has a rule for select: .*\/tables\/note\.yaml:\d+\n/);
    expect(await place.read('metadata/tables/note.yaml')).toBe(before);
  });

  test.each([
    [
      'an unknown role',
      ['clerc', 'note', 'select'],
      'RG_UNKNOWN_ROLE roles.yaml has no role "clerc"\n  did you mean "clerk"?',
    ],
    [
      'an unknown command',
      ['clerk', 'note', 'selct'],
      'RG_USAGE there is no command "selct"\n  did you mean "select"?',
    ],
    [
      'an unknown table',
      ['clerk', 'nte', 'select'],
      'RG_UNKNOWN_TABLE no file is about the table "nte"\n  did you mean "note"?',
    ],
    [
      'a table without a file',
      ['clerk', 'other', 'select'],
      'run rowgate track with the table first',
    ],
    [
      'a missing word',
      ['clerk', 'note'],
      'permission add lacks <command>: select, insert, update or delete',
    ],
  ])('refuses %s', async (_, words, message) => {
    const { code, stderr } = await add(...words);
    expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining(message) });
  });

  test('prints the rule when it cannot write it into the file', async () => {
    await writeFile(path.join(place.metadata, 'tables/note.yaml'), '{ table: note }\n');
    const { code, stderr } = await add('clerk', 'note', 'delete');
    expect(code).toBe(1);
    expect(stderr).toContain(`permissions:\n  clerk:\n    delete: ${closed}\n`);
  });
});
