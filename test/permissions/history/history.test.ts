import { execFileSync } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { applyMetadata } from '../../../permissions/apply/apply-metadata.ts';
import { readAppliedMetadata } from '../../../permissions/apply/history/apply-history.ts';
import { runCommand } from '../../support/command-line.ts';
import { type Installation, makeInstallation } from '../support/installation.ts';
import { removeMetadata } from '../support/metadata-files.ts';

const schema =
  'create table note (id int primary key, owner int not null, body text, written date);';

const filesWith = (filter: string, columns = '[id, body]') => ({
  'roles.yaml': 'roles: { reader: {} }\n',
  'rowgate.yaml':
    'version: 1\nauthentication:\n  jwt:\n    - { type: HS256, key: "0123456789abcdef0123456789abcdef" }\n',
  'tables/note.yaml': `table: note\npermissions: { reader: { select: { filter: ${filter}, columns: ${columns} } } }\n`,
});

const own = filesWith('{ owner: { _eq: X-Gql-User-Id } }');
const all = filesWith('{}');

let made: Installation;
afterEach(async () => {
  await made.drop();
  await removeMetadata();
});

function run(...args: readonly string[]) {
  const environment = {
    DATABASE_URL: made.database.ownerUrl,
    ROWGATE_ROLE_PREFIX: made.prefix,
    ROWGATE_ACTOR: 'Ada',
  };
  return runCommand(args, environment);
}

const apply = () => run('apply', '--yes', '--metadata', made.metadata);

async function records() {
  const { stdout } = await run('history', '--json');
  return JSON.parse(stdout);
}

test('each apply is recorded with its actor, its plan and its words', async () => {
  made = await makeInstallation({ schema, rules: own });
  await apply();
  await made.rewrite(all);
  await apply();
  const [last, first] = await records();
  expect(first).toMatchObject({ id: 1, actor: 'Ada', revision: null, error: null, hasFiles: true });
  expect(last.words.join('\n')).toContain('reader would now see every row of note');
  expect(last.plan).toEqual([`replace policy rowgate/reader/select on public.note`]);
  const { stdout } = await run('history', '--limit', '1');
  expect(stdout).toMatch(/^2 {2}\d{4}-\d\d-\d\dT\S+Z {2}Ada \(\S+\): 1 change\n {4}dangerous/);
});

test('the commit of the metadata folder is recorded, and whether files differ from it', async () => {
  made = await makeInstallation({ schema, rules: own });
  const git = (...args: readonly string[]) =>
    execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b', ...args], {
      cwd: made.metadata,
    });
  git('init', '-q');
  git('add', '.');
  git('commit', '-qm', 'first');
  await apply();
  await writeFile(path.join(made.metadata, 'tables/note.yaml'), all['tables/note.yaml']);
  await apply();
  const [last, first] = await records();
  const commit = git('rev-parse', 'HEAD').toString().trim();
  expect([first.revision, last.revision]).toEqual([commit, `${commit}-dirty`]);
});

test('an apply that changes nothing is not recorded', async () => {
  made = await makeInstallation({ schema, rules: own });
  await apply();
  await apply();
  expect(await records()).toHaveLength(1);
});

test('a failed apply is recorded with its reason, and leaves the rules as they were', async () => {
  made = await makeInstallation({ schema, rules: own });
  await apply();
  await made.rewrite(filesWith('{ written: { _eq: "2024-02-30" } }'));
  const { code } = await apply();
  expect(code).toBe(1);
  const [failed] = await records();
  expect(failed).toMatchObject({
    id: 2,
    hasFiles: false,
    error: expect.stringContaining('date/time field value out of range'),
  });
  expect(
    (await made.ask('reader', { user_id: '1' }, 'select count(*)::int from note')).rows,
  ).toEqual([['0']]);
  expect(await made.pending()).not.toEqual([]);
});

test('keys of the section authentication are not recorded', async () => {
  made = await makeInstallation({ schema, rules: own });
  await apply();
  const out = path.join(made.metadata, 'exported');
  const { code, stdout } = await run('history', 'export', '1', '--out', out);
  expect([code, stdout]).toEqual([0, expect.stringContaining(`wrote 3 files to ${out}`)]);
  expect(await readFile(path.join(out, 'rowgate.yaml'), 'utf8')).toBe('version: 1\n\n\n\n');
  expect(await readFile(path.join(out, 'tables/note.yaml'), 'utf8')).toBe(own['tables/note.yaml']);
});

test('a rollback applies the rules of an earlier apply again, and is recorded itself', async () => {
  made = await makeInstallation({ schema, rules: own });
  await apply();
  await made.rewrite(all);
  await apply();
  const { code, stdout } = await run('rollback', '1', '--yes');
  expect(code).toBe(0);
  expect(stdout).toContain('rowgate history export 1 writes its files');
  await made.rewrite(own);
  expect(await made.pending()).toEqual([]);
  expect((await records())[0].words.join('\n')).toContain('reader would no longer see');
});

test("a rollback is refused with the reasons when today's tables do not fit", async () => {
  made = await makeInstallation({ schema, rules: own });
  await apply();
  await made.rewrite(filesWith('{}', '[id]'));
  await apply();
  await made.owner.query('alter table note drop column body');
  const { code, stderr } = await run('rollback', '1', '--yes');
  expect(code).toBe(1);
  expect(stderr).toContain('RG_UNKNOWN_COLUMN');
  await made.rewrite(filesWith('{}', '[id]'));
  expect(await made.pending()).toEqual(['replace fingerprint of the metadata']);
});

test.each([['0'], ['7'], ['x'], ['1; drop table note'], ['99999999999999999999']])(
  'there is no apply %j to return to',
  async (number) => {
    made = await makeInstallation({ schema, rules: own });
    await apply();
    const { code, stderr } = await run('rollback', number, '--yes');
    expect([code, stderr]).toEqual([
      2,
      expect.stringContaining('no metadata are recorded of an apply'),
    ]);
  },
);

const secret = '0123456789abcdef0123456789abcdef';

/** Applies a rowgate.yaml, and returns it as `history export` writes it. */
async function recordedSettings(text: string): Promise<string> {
  made = await makeInstallation({ schema, rules: { ...own, 'rowgate.yaml': text } });
  await apply();
  const out = path.join(made.metadata, 'exported');
  await run('history', 'export', '1', '--out', out);
  return readFile(path.join(out, 'rowgate.yaml'), 'utf8');
}

test.each([
  [
    'a comment that names the section',
    '# See authentication: below\nstrict_keys: true\n',
    undefined,
  ],
  ['an escaped key', `"authenticatio\\u006e":\n  jwt: { type: HS256, key: ${secret} }\n`, '{}\n\n'],
  [
    'a comment before the only section',
    `# a\nauthentication:\n  jwt: { type: HS256, key: ${secret} }\n`,
    '# a\n{}\n\n',
  ],
  [
    'a comment with an old key',
    `authentication:\n  jwt: { type: HS256, key: ${secret} }\n# ${secret}\nversion: 1\n`,
    '\n\n\nversion: 1\n',
  ],
])(
  'rowgate.yaml is recorded without keys and with its other settings: %s',
  async (_, text, recorded) => {
    expect(await recordedSettings(text)).toBe(recorded ?? text);
  },
);

test('metadata are not recorded if keys cannot be cut out, so that a rollback is refused', async () => {
  const flow = `{ strict_keys: true, authentication: { jwt: { type: HS256, key: ${secret} } } }\n`;
  made = await makeInstallation({ schema, rules: { ...own, 'rowgate.yaml': flow } });
  await apply();
  const [record] = await records();
  expect(record).toMatchObject({ id: 1, error: null, hasFiles: false });
  const { code, stderr } = await run('rollback', '1', '--yes');
  expect([code, stderr]).toEqual([2, expect.stringContaining('no metadata are recorded')]);
});

test('only the files that rules are read from are recorded', async () => {
  const foreign = { 'notes/compose.yaml': 'password: hunter2\n', 'tests/note.yaml': 'a: b\n' };
  made = await makeInstallation({ schema, rules: { ...own, ...foreign } });
  await apply();
  const recorded = await readAppliedMetadata(made.owner);
  expect(Object.keys(recorded?.files ?? {}).sort()).toEqual(Object.keys(own).sort());
});

test('the rules that were applied are recorded if the files change meanwhile', async () => {
  made = await makeInstallation({ schema, rules: own });
  await applyMetadata(made.owner, {
    ...{ metadata: made.metadata, rolePrefix: made.prefix, headerPrefix: 'X-Gql-' },
    describe: async () => {
      await made.rewrite(all);
      return [];
    },
  });
  const recorded = await readAppliedMetadata(made.owner);
  expect(recorded?.files['tables/note.yaml']).toBe(own['tables/note.yaml']);
});
