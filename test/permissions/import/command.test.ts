import { access, mkdir, readdir, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { runCommand } from '../../support/command-line.ts';
import { runRowgate } from '../../support/rowgate.ts';
import { importMetadata, metadataOf, readTree, temporaryFolder } from './import-folder.ts';

const open = { role: 'user', permission: { columns: '*', filter: {} } };
const whole = metadataOf([{ table: 'thing', select_permissions: [open] }]);
const partial = metadataOf([
  {
    table: 'thing',
    select_permissions: [
      open,
      { role: 'odd', permission: { columns: '*', filter: { a: { _cast: {} } } } },
    ],
  },
]);

/** Creates a folder with `hasura.json`, and returns functions that run the import in this process or as a program. */
async function workplace(metadata: unknown) {
  const folder = await temporaryFolder();
  const input = path.join(folder, 'hasura.json');
  await writeFile(input, JSON.stringify(metadata));
  const out = path.join(folder, 'made/metadata');
  const environment = {
    ROWGATE_DATA_DIR: path.join(folder, 'data'),
    ROWGATE_HEADER_PREFIX: 'X-Our-',
  };
  const command = (args: readonly string[]) => ['import', 'hasura', ...args];
  const run = (...args: string[]) => runCommand(command(args), environment);
  const runProgram = (...args: string[]) => runRowgate(command(args), environment);
  return { folder, input, out, run, runProgram };
}

const missing = (file: string) =>
  access(file).then(
    () => false,
    () => true,
  );

describe('rowgate import hasura', () => {
  test('writes the folder and its parents without a database and exits with 0', async () => {
    const { folder, input, out, runProgram } = await workplace(whole);
    expect(await runProgram(input, '--out', out)).toEqual({
      code: 0,
      stdout: '1 table, 1 permission, 1 role\n',
      stderr: '',
    });
    expect(Object.keys((await readTree(out)) ?? {})).toEqual([
      'roles.yaml',
      'rowgate.yaml',
      'tables/thing.yaml',
    ]);
    expect((await readdir(folder)).sort()).toEqual(['hasura.json', 'made']);
    expect(await readdir(path.join(folder, 'made'))).toEqual(['metadata']);
  });

  test('writes nothing and exits with 3 when it cannot import a permission', async () => {
    const { folder, input, out, run } = await workplace(partial);
    const { code, stdout, stderr } = await run(input, '--out', out);
    expect(code).toBe(3);
    expect(stdout).toMatch(
      /^permissions that are left out:\n.*role "odd", select: the operator _cast/,
    );
    expect(stderr).toContain('say --allow-partial to write what came over');
    expect(await readdir(folder)).not.toContain('metadata');
    expect(await missing(out)).toBe(true);
  });

  test('writes what it can import and exits with 0 when --allow-partial is given', async () => {
    const { input, out, run } = await workplace(partial);
    expect(await run(input, '--out', out, '--allow-partial')).toMatchObject({
      code: 0,
      stderr: '',
    });
    expect((await readTree(out))?.['roles.yaml']).toBe('roles:\n  user: {}\n');
  });

  test('exits with 2 when the input or an option is missing', async () => {
    const { folder, input, out, run } = await workplace(whole);
    const gone = path.join(folder, 'gone.json');
    expect(await run(gone, '--out', out)).toMatchObject({
      code: 2,
      stderr: `${gone}:1:1 RG_FILE_UNREADABLE the path does not exist\n`,
    });
    expect(await run(input)).toMatchObject({ code: 2 });
    expect(await run('--out', out)).toMatchObject({ code: 2 });
    expect((await run(input, '--out', out, '--source', 'other')).stderr).toContain(
      'it has "default"',
    );
  });

  test('exits with 4 and writes nothing when the database does not answer', async () => {
    const { input, out } = await workplace(whole);
    const environment = { DATABASE_URL: 'postgres://nobody@127.0.0.1:1/none' };
    expect(await runCommand(['import', 'hasura', input, '--out', out], environment)).toMatchObject({
      code: 4,
    });
    expect(await missing(out)).toBe(true);
  });

  test('gives session variables the configured prefix instead of X-Hasura-', async () => {
    const rule = { role: 'user', permission: { columns: '*', filter: { id: 'X-Hasura-User-Id' } } };
    const { input, out, run } = await workplace(
      metadataOf([{ table: 'thing', select_permissions: [rule] }]),
    );
    expect(await run(input, '--out', out)).toMatchObject({ code: 0 });
    expect((await readTree(out))?.['tables/thing.yaml']).toContain(
      '{ id: { _eq: X-Our-User-Id } }',
    );
  });
});

describe('the output folder of rowgate import hasura', () => {
  test('may exist when it is empty, also as a symbolic link', async () => {
    const { folder, input, run } = await workplace(whole);
    const there = path.join(folder, 'there');
    await mkdir(there);
    await symlink(there, path.join(folder, 'link'));
    expect(await run(input, '--out', path.join(folder, 'link'))).toMatchObject({ code: 0 });
    expect(Object.keys((await readTree(there)) ?? {})).toContain('roles.yaml');
  });

  test('is refused and left unchanged when it is a file or not empty', async () => {
    const { folder, input, run } = await workplace(whole);
    expect(await run(input, '--out', folder)).toMatchObject({
      code: 2,
      stderr: `rowgate: RG_USAGE the folder ${folder} is not empty\n  name one that is empty or not there yet\n`,
    });
    expect(await readdir(folder)).toEqual(['hasura.json']);
    expect(await run(input, '--out', input)).toMatchObject({ code: 2 });
  });
});

test('rowgate import hasura --json prints the findings as JSON', async () => {
  const { stdout, code } = await importMetadata(partial, { json: true });
  expect(code).toBe(3);
  expect(JSON.parse(stdout)).toMatchObject({
    written: false,
    tables: [{ schema: 'public', name: 'thing' }],
    permissions: 1,
    roles: ['user'],
    findings: [
      {
        loss: 'permission',
        place: expect.stringMatching(/^hasura\.json:1:\d+$/),
        path: 'sources[0].tables[0].select_permissions[1].permission.filter.a._cast',
        message: 'public.thing, role "odd", select: the operator _cast does not exist here',
        hint: 'say it by other operators',
      },
    ],
  });
});

test('an import reads only the database that --source names, and reports the databases that it skips', async () => {
  const table = { table: 'thing', select_permissions: [open] };
  const source = (name: string) => ({
    name,
    kind: 'postgres',
    tables: [{ ...table, table: name }],
  });
  const metadata = { version: 3, sources: [source('default'), source('second')] };
  expect(await importMetadata(metadata)).toMatchObject({ code: 3 });
  const { code, files, stdout } = await importMetadata(metadata, { source: 'second' });
  expect(code).toBe(0);
  expect(Object.keys(files ?? {})).toContain('tables/second.yaml');
  expect(stdout).toContain('another database, "default", is not imported');
});
