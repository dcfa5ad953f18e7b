import path from 'node:path';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { apply } from '../../../permissions/commands/apply.ts';
import { runCommand } from '../../support/command-line.ts';
import { createDatabase, type TestDatabase } from '../../support/database.ts';
import { overwriteMetadata, removeMetadata, writeMetadata } from '../support/metadata-files.ts';

const note = (filter: string) => ({
  'roles.yaml': 'roles: { reader: {}, editor: { inherits: [reader] } }\n',
  'rowgate.yaml':
    'references_visible: true\nauthentication:\n  jwt:\n    type: HS256\n    key: very-secret-key-of-a-test-with-32-bytes\n',
  'tables/note.yaml': `table: note\npermissions:\n  reader: { select: { filter: ${filter}, columns: [id] } }\n`,
});

let database: TestDatabase;
let metadata: string;
let environment: Readonly<Record<string, string>>;
beforeAll(async () => {
  database = await createDatabase({ from: 'gateway' });
  await ask('create table note (id int primary key, status text)');
  metadata = await writeMetadata(note('{ status: { _in: [open] } }'));
  environment = {
    DATABASE_URL: database.ownerUrl,
    ROWGATE_DATA_DIR: path.join(inject('scratch'), 'applied-difference'),
  };
});
afterAll(async () => {
  await database.drop();
  await removeMetadata();
});

async function ask(sql: string) {
  const owner = await database.connectOwner();
  const { rows } = await owner.query(sql);
  await owner.end();
  return rows;
}

function rowgate(...args: readonly string[]) {
  return runCommand([...args, '--metadata', metadata], environment);
}

describe('plan and apply, compared with the last apply,', { shuffle: false }, () => {
  test('say before the first apply that there is nothing to compare with', async () => {
    const { stdout } = await rowgate('plan');
    expect(stdout).toContain(
      'what changes for whom is unknown: no apply has recorded its metadata yet',
    );
  });

  test('say nothing if nothing changed', async () => {
    await rowgate('apply', '--yes');
    const { code, stdout } = await rowgate('plan');
    expect({ code, stdout }).toEqual({ code: 0, stdout: 'nothing to change\n' });
  });

  test('say nothing and end with 0 if only comments of objects change', async () => {
    const files = note('{ status: { _in: [open] } }');
    await overwriteMetadata(metadata, {
      ...files,
      'tables/note.yaml': `# A comment.\n${files['tables/note.yaml']}`,
    });
    const { code, stdout } = await rowgate('plan');
    expect(code).toBe(0);
    expect(stdout).toMatch(/^nothing to change; apply would correct \d+ comments?\n$/);
  });

  test('say above the SQL which roles gain rows', async () => {
    await overwriteMetadata(metadata, note('{ status: { _in: [open, done] } }'));
    const { code, stdout } = await rowgate('plan', '--sql');
    expect(code).toBe(1);
    expect(stdout).toMatch(
      /^compared with the last apply:\ndangerous: [^\n]+\n {2}reader would now also see /,
    );
    expect(stdout).toContain('1 dangerous; 2 roles gain rows');
    expect(stdout.indexOf('2 roles gain rows')).toBeLessThan(stdout.indexOf('~ policy'));
  });

  test('have the difference in JSON', async () => {
    const { stdout } = await rowgate('plan', '--json');
    expect(JSON.parse(stdout).difference).toMatchObject({
      old: 'the last apply',
      counts: { dangerous: 1 },
      changes: [{ role: 'reader', inheritedBy: ['editor'] }],
    });
  });

  test('record no key of authentication', async () => {
    const [row] = await ask(
      'select source from rowgate.apply_history where source is not null order by id desc limit 1',
    );
    const { gunzipSync } = await import('node:zlib');
    const text = gunzipSync(row.source).toString();
    expect(text).toContain('references_visible: true');
    expect(text).not.toContain('very-secret-key');
  });

  test('ask with the number of roles that gain rows', async () => {
    const asked: string[] = [];
    const printed: string[] = [];
    const code = await apply.run({ metadata }, [], {
      ...{ rolePrefix: undefined, headerPrefix: 'X-Gql-', inferFunctionPermissions: false },
      ...{
        actor: undefined,
        version: '0',
        hasOwnerUrl: true,
        connectOwner: () => database.connectOwner(),
      },
      gatewayLogin: async () => ({ name: undefined, password: undefined }),
      interruption: () => new AbortController().signal,
      readInput: async () => '',
      print: (line) => printed.push(line),
      printError: (line) => printed.push(line),
      confirm: async (question) => {
        asked.push(question);
        return false;
      },
    });
    expect(code).toBe(1);
    expect(asked).toEqual(['2 roles gain rows: apply these changes?']);
    expect(printed[0]).toBe('compared with the last apply:');
  });

  test('do not report the settings of authentication, which are not recorded', async () => {
    const { stdout } = await rowgate('plan');
    expect(stdout).not.toContain('callers are');
  });
});
