import { access, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { Ajv } from 'ajv';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { runCommand } from '../../support/command-line.ts';
import { createDatabase, type TestDatabase } from '../../support/database.ts';
import { makeRepository, type Repository } from './support/repository.ts';
import { sarifSchema } from './support/sarif-schema.ts';

const schema = `
  create table team (id int primary key, name text not null);
  create table note (id int primary key, team_id int references team, status text, body text);
  insert into team values (1, 'one'), (2, 'two');
  insert into note select n, 1 + n % 2, case when n <= 4 then 'open' else 'closed' end, 'x' from generate_series(1, 10) n;`;

const note = (filter: string, columns = '[id, team_id]') =>
  `table: note\npermissions:\n  reader:\n    select:\n      filter: ${filter}\n      columns: ${columns}\n`;

const open = '{ team_id: { _eq: X-Gql-Team-Id }, status: { _eq: open } }';

const rules = {
  'metadata/roles.yaml':
    'roles:\n  reader:\n    requires: [X-Gql-Team-Id]\n  editor:\n    inherits: [reader]\n',
  'metadata/tables/note.yaml': note(open),
  'metadata/tables/team.yaml': 'table: team\n',
};

let database: TestDatabase;
let repository: Repository;
let first: string;
let environment: Readonly<Record<string, string>>;
beforeAll(async () => {
  database = await createDatabase({ from: 'gateway' });
  const owner = await database.connectOwner();
  await owner.query(schema);
  await owner.end();
  repository = await makeRepository();
  await repository.write(rules);
  environment = {
    DATABASE_URL: database.ownerUrl,
    ROWGATE_DATA_DIR: path.join(repository.folder, 'data'),
  };
  const catalog = path.join(repository.folder, 'catalog.json');
  const written = await runCommand(['catalog', '--out', catalog], environment);
  expect(written.stderr).toBe('');
  first = await repository.commit();
});
afterAll(async () => {
  await database.drop();
  await repository.remove();
});

function diff(...args: readonly string[]) {
  return runCommand(['diff', ...args, '--metadata', repository.metadata], environment);
}

const offline = () => ['--catalog', path.join(repository.folder, 'catalog.json')];

async function wider(): Promise<void> {
  await repository.write({
    'metadata/tables/note.yaml': note('{ team_id: { _eq: X-Gql-Team-Id } }'),
  });
}

async function unchanged(): Promise<void> {
  await repository.write(rules);
}

describe('rowgate diff', { shuffle: false }, () => {
  test('ends with exit code 0 if nothing differs from HEAD', async () => {
    await unchanged();
    expect(await diff()).toEqual({ code: 0, stdout: 'no difference in meaning\n', stderr: '' });
  });

  test('ends with exit code 0 for comments and another layout of a file', async () => {
    await repository.write({ 'metadata/tables/note.yaml': `# A comment.\n${note(open)}` });
    expect(await diff()).toMatchObject({ code: 0, stdout: 'no difference in meaning\n' });
  });

  test('counts the existing rows that a role gains, and names the inheriting role', async () => {
    await wider();
    const { code, stdout } = await diff();
    expect(code).toBe(1);
    expect(stdout).toMatch(/reader would now also see .*rows of note/);
    expect(stdout).toContain("no longer required: status is 'open'");
    expect(stdout).toContain('existing rows gained: at least 6 of 10');
    expect(stdout).not.toContain('not replayed');
    expect(stdout).toContain('the same for editor, which inherits it');
  });

  test('leaves every table as it is', async () => {
    await wider();
    await diff();
    const owner = await database.connectOwner();
    const { rows } = await owner.query(
      "select count(*)::int as count, (select count(*)::int from pg_class where relname like 'rowgate_witness%') as left from note",
    );
    await owner.end();
    expect(rows).toEqual([{ count: 10, left: 0 }]);
  });

  test('says that a count was cut off', async () => {
    await wider();
    const owner = await database.connectOwner();
    await owner.query('begin; lock table note in access exclusive mode');
    const { stdout } = await diff('--count-seconds', '1');
    await owner.query('rollback');
    await owner.end();
    expect(stdout).toMatch(
      /existing rows gained: not counted: (the time limit cut|Postgres reported: canceling)/,
    );
  });

  test('counts nothing with --count-seconds 0', async () => {
    await wider();
    expect((await diff('--count-seconds', '0')).stdout).not.toContain('existing rows');
  });

  test('needs no database with a catalog file', async () => {
    await wider();
    const { code, stdout } = await runCommand(
      ['diff', ...offline(), '--metadata', repository.metadata],
      { DATABASE_URL: 'postgres://localhost:1/none' },
    );
    expect(code).toBe(1);
    expect(stdout).toMatch(/reader would now also see .*rows of note/);
  });

  test('compares two revisions, and two folders', async () => {
    await wider();
    const second = await repository.commit();
    await unchanged();
    const revisions = await diff(first, second, ...offline());
    expect(revisions.stdout).toMatch(/reader would now also see .*rows of note/);
    expect(revisions.stdout).toContain('metadata/tables/note.yaml:4');
    const folders = await diff(second, repository.metadata, ...offline());
    expect(folders.stdout).toMatch(/reader would no longer see .*rows of note/);
    await repository.git('reset', '--quiet', '--hard', first);
  });

  test('reads an old catalog file from the revision of the old version', async () => {
    const owner = await database.connectOwner();
    await owner.query('begin');
    const catalog = path.join(repository.folder, 'catalog.json');
    await runCommand(['catalog', '--out', catalog], environment);
    await owner.query('rollback');
    await owner.end();
    const text = (await repository.git('show', 'HEAD:catalog.json')).replaceAll(
      '"team_id"',
      '"group_id"',
    );
    await writeFile(catalog, text);
    await repository.write({
      'metadata/tables/note.yaml': note(open, '[id, team_id]').replaceAll('team_id', 'group_id'),
    });
    const { code, stdout, stderr } = await diff(...offline());
    await repository.git('checkout', '--quiet', '.');
    expect(stderr).toBe('');
    expect(stdout).toContain('reader may no longer see the column team_id of note');
    expect(code).toBe(1);
  });

  test.each(['--upload-pack=touch x', '-h', '--output=pwned', ''])(
    'refuses the revision %j with exit code 2',
    async (name) => {
      const { code, stderr } = await runCommand(
        ['diff', '--metadata', repository.metadata, ...offline(), '--', name],
        environment,
      );
      expect(code).toBe(2);
      expect(stderr).toContain('is neither a folder nor a git revision');
      await expect(access('pwned')).rejects.toThrow();
    },
  );

  test('refuses a name that is a folder and a branch', async () => {
    await repository.git('branch', 'test');
    const { code, stderr } = await diff('test', ...offline());
    await repository.git('branch', '--delete', 'test');
    expect(code).toBe(2);
    expect(stderr).toContain('is both a folder and a git revision');
  });

  test('does not follow symbolic links of a revision', async () => {
    await unchanged();
    await symlink('/etc/hostname', path.join(repository.folder, 'metadata/tables/link.yaml'));
    const linked = await repository.commit();
    await repository.git('reset', '--quiet', '--hard', first);
    await unchanged();
    const { code, stdout } = await diff(linked, ...offline());
    expect({ code, stdout }).toEqual({ code: 0, stdout: 'no difference in meaning\n' });
  });

  test('ends with exit code 2 if a version has mistakes', async () => {
    await repository.write({ 'metadata/tables/note.yaml': note('{ stat: { _eq: x } }') });
    const { code, stderr } = await diff(...offline());
    await unchanged();
    expect(code).toBe(2);
    expect(stderr).toContain('RG_UNKNOWN_COLUMN');
  });

  test.each([
    [['--json', '--sarif'], '--json and --sarif exclude each other'],
    [['--fail-on', 'safe'], '--fail-on must be dangerous, review or breaking'],
    [['--count-seconds', '5'], '--count-seconds needs the rows of a database'],
  ])('refuses %j', async (args, message) => {
    const { code, stderr } = await diff(...args, ...offline());
    expect(code).toBe(2);
    expect(stderr).toContain(message);
  });

  test('ends with exit code 0 for classes below --fail-on', async () => {
    await repository.write({ 'metadata/tables/note.yaml': note(open, '[id]') });
    expect((await diff(...offline())).code).toBe(1);
    expect((await diff('--fail-on', 'dangerous', ...offline())).code).toBe(0);
    await unchanged();
  });

  test('ends with exit code 1 for an undecided change, although --fail-on names dangerous ones', async () => {
    const versions = ['^a', '^(a|b)'].map((pattern, index) => ({
      [`version${index}/tables/note.yaml`]: note(`{ body: { _regex: "${pattern}" } }`),
      [`version${index}/tables/team.yaml`]: rules['metadata/tables/team.yaml'],
      [`version${index}/roles.yaml`]: rules['metadata/roles.yaml'],
    }));
    for (const files of versions) await repository.write(files);
    const folders = versions.map((_, index) => path.join(repository.folder, `version${index}`));
    const { code, stdout } = await diff('--fail-on', 'dangerous', ...offline(), ...folders);
    expect([code, stdout]).toEqual([1, expect.stringContaining('could not decide')]);
  });
});

describe('the output of rowgate diff', { shuffle: false }, () => {
  test('is JSON with both places and the verdict', async () => {
    await wider();
    const { stdout } = await diff('--json', ...offline());
    expect(JSON.parse(stdout)).toMatchObject({
      version: 1,
      old: 'HEAD',
      counts: { dangerous: 1, review: 0, breaking: 0, safe: 0 },
      changes: [
        {
          ...{
            class: 'dangerous',
            aspect: 'rows',
            role: 'reader',
            table: 'note',
            command: 'select',
          },
          ...{ inheritedBy: ['editor'], old: { file: 'metadata/tables/note.yaml', line: 4 } },
          rows: {
            verdict: 'wider',
            old: "team_id is the caller's X-Gql-Team-Id and status is 'open'",
          },
        },
      ],
    });
  });

  test('is valid SARIF 2.1.0', async () => {
    await wider();
    const { stdout } = await diff('--sarif', ...offline());
    const isValid = new Ajv({ strict: false }).compile(sarifSchema);
    const log = JSON.parse(stdout);
    isValid(log);
    expect(isValid.errors).toBeNull();
    expect(log.runs[0].results[0]).toMatchObject({ ruleId: 'dangerous', level: 'error' });
  });

  test('is one annotation for each change, in which no name can begin another command', async () => {
    const hostile = '{ team_id: { _eq: X-Gql-Team-Id }, status: { _eq: "%0A::error::a\\n::b" } }';
    await repository.write({ 'metadata/tables/note.yaml': note(hostile) });
    const { stdout } = await diff('--annotations', ...offline());
    const lines = stdout.trimEnd().split('\n');
    expect(lines).toHaveLength(1);
    expect(lines[0]).toMatch(/^::\w+ file=[^:]*note\.yaml,line=4,title=permissions%3A /);
    expect(lines[0]).toContain('%250A');
  });

  test('is Markdown in which names are text', async () => {
    const hostile =
      '{ team_id: { _eq: X-Gql-Team-Id }, status: { _eq: "<img src=x> @all `a` [b](http://c)" } }';
    await repository.write({ 'metadata/tables/note.yaml': note(hostile) });
    const { stdout } = await diff('--markdown', ...offline());
    expect(stdout).toContain('### Permissions: HEAD');
    expect(stdout).toContain('&lt;img src=x&gt; &#64;all \\`a\\` \\[b\\]');
    expect(stdout).not.toMatch(/<img|@all|http:\/\/c/);
  });

  test('shows control characters of names in the terminal', async () => {
    const hostile = '{ team_id: { _eq: X-Gql-Team-Id }, status: { _eq: "\\e[2Jx" } }';
    await repository.write({ 'metadata/tables/note.yaml': note(hostile) });
    const { stdout } = await diff(...offline());
    await unchanged();
    expect(stdout).toContain('\\u001b[2Jx');
    expect(stdout).not.toContain('\u001b');
  });
});
