import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { runCommand } from '../../support/command-line.ts';
import { createDatabase } from '../../support/database.ts';
import { readPage } from '../../support/documentation.ts';
import { program } from '../../support/rowgate.ts';
import { makeRepository, type Repository } from './support/repository.ts';

const root = path.resolve(import.meta.dirname, '../../..');

const note = (filter: string) =>
  `table: note\npermissions:\n  reader: { select: { filter: ${filter}, columns: [id] } }\n`;

let repository: Repository;
let base: string;
beforeAll(async () => {
  repository = await makeRepository();
  const database = await createDatabase({ from: 'gateway' });
  const owner = await database.connectOwner();
  await owner.query('create table note (id int primary key, status text)');
  await owner.end();
  await runCommand(['catalog', '--out', path.join(repository.folder, 'catalog.json')], {
    DATABASE_URL: database.ownerUrl,
    ROWGATE_DATA_DIR: path.join(repository.folder, '.data'),
  });
  await database.drop();
  await repository.write({
    'metadata/roles.yaml': 'roles: { reader: {} }\n',
    'metadata/tables/note.yaml': note('{ status: { _in: [open] } }'),
  });
  base = await repository.commit();
  await repository.write({
    'metadata/tables/note.yaml': note('{ status: { _in: [open, done] } }'),
  });
  await repository.commit();
});
afterAll(() => repository.remove());

interface Ran {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

function runScript(script: string, env: Readonly<Record<string, string>>): Promise<Ran> {
  const options = { cwd: repository.folder, env: { PATH: process.env.PATH, ...env } };
  return promisify(execFile)('bash', ['-c', script], options).then(
    ({ stdout, stderr }) => ({ code: 0, stdout, stderr }),
    (error: Ran) => error,
  );
}

interface ActionFile {
  readonly inputs: Readonly<Record<string, { readonly default: string }>>;
  readonly runs: {
    readonly steps: readonly {
      readonly run: string;
      readonly env: Readonly<Record<string, string>>;
    }[];
  };
}

/** Runs the steps of the action as GitHub does: each input is an environment variable. */
async function runAction(inputs: Readonly<Record<string, string>>) {
  const text = await readFile(
    path.join(root, '.github/actions/permission-diff/action.yml'),
    'utf8',
  );
  const action = parse(text) as ActionFile;
  const files = {
    GITHUB_STEP_SUMMARY: path.join(repository.folder, '.git', 'summary.md'),
    GITHUB_OUTPUT: path.join(repository.folder, '.git', 'output'),
  };
  const ran: Ran[] = [];
  for (const { run, env } of action.runs.steps) {
    expect(run).not.toContain('${{');
    const given = Object.entries(env).map(([name, value]) => {
      const input = /^\$\{\{ inputs\.([\w-]+) \}\}$/.exec(value)?.[1] ?? '';
      return [name, inputs[input] ?? action.inputs[input]?.default ?? ''];
    });
    ran.push(await runScript(run, { ...Object.fromEntries(given), ...files }));
  }
  const [first] = ran;
  return { ...first, files };
}

const rowgate = `${process.execPath} ${program}`;

describe('the GitHub action permission-diff', { shuffle: false }, () => {
  test('fails for a dangerous change, with an annotation and a summary', async () => {
    const { code, stdout, files } = await runAction({ base, rowgate });
    expect(stdout).toMatch(
      /^::error file=metadata\/tables\/note\.yaml,line=3,title=permissions%3A dangerous::reader would now also see/,
    );
    expect(code).toBe(1);
    expect(await readFile(files.GITHUB_STEP_SUMMARY, 'utf8')).toContain('#### dangerous');
    expect(await readFile(files.GITHUB_OUTPUT, 'utf8')).toContain('exit-code=1');
  });

  test('succeeds if nothing changed', async () => {
    const { code, stdout } = await runAction({ base: 'HEAD', rowgate });
    expect({ code, stdout }).toEqual({ code: 0, stdout: '' });
  });

  test('ends with exit code 2 for a hostile base, and runs no part of it', async () => {
    const { code, stderr } = await runAction({ base: '--output=x; $(touch pwned)', rowgate });
    expect(code).toBe(2);
    expect(stderr).toContain('is neither a folder nor a git revision');
    await expect(readFile(path.join(repository.folder, 'pwned'))).rejects.toThrow();
  });
});

describe('the GitLab job of the documentation', () => {
  test('writes Markdown and fails for a dangerous change', async () => {
    const page = readPage('docs/operators/compare-versions.md');
    const text = /```yaml\n(# \.gitlab-ci\.yml\n.*?)```/s.exec(page.text)?.[1] ?? '';
    const { permissions } = parse(text) as { permissions: { script: readonly string[] } };
    const script = permissions.script.filter((line) => line !== 'npm ci').join('\n');
    const { code } = await runScript(`set -e\n${script.replaceAll('npx rowgate', rowgate)}`, {
      CI_MERGE_REQUEST_DIFF_BASE_SHA: base,
    });
    const written = await readFile(path.join(repository.folder, 'permissions.md'), 'utf8');
    expect(code).toBe(1);
    expect(written).toContain('reader would now also see');
  });
});
