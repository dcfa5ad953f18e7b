import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { Report } from '../../../permissions/diagnostics.ts';
import { loadMetadata } from '../../../permissions/metadata/load-metadata.ts';
import { toPlain } from '../../../permissions/metadata/yaml/locate.ts';
import {
  importMetadata,
  metadataOf,
  runImport,
  type Tree,
  temporaryFolder,
  writeTree,
} from './import-folder.ts';

const all = { columns: '*', filter: {} };

describe('Hasura metadata that an import cannot read', () => {
  test.each([
    ['{"version": 3, "sources": [', /^hasura\.json:1:\d+ RG_YAML_SYNTAX /],
    ['', 'hasura.json:1:1 RG_SHAPE the file is empty\n'],
    ['[]', 'hasura.json:1:1 RG_SHAPE a map is expected here, not an empty list\n'],
    ['{}', 'hasura.json:1:1 RG_SHAPE "version" is missing\n'],
    [
      '{"version": 2, "tables": []}',
      'hasura.json:1:13 RG_SHAPE version: only version 3 of the metadata is read, which Hasura 2 exports\n',
    ],
    [
      '{"version": 3,\n "version": 3}',
      'hasura.json:2:2 RG_DUPLICATE_KEY the key "version" is written twice; it is written first in line 1\n',
    ],
    [
      '{"version": 3, "sources": [{"name": "a", "kind": "postgres", "tables": {"a": 1}}]}',
      'hasura.json:1:72 RG_SHAPE sources[0].tables: a list is expected here, not a map\n',
    ],
    ['version: 3\nsources: &a []\n', /^hasura\.json:2:10 RG_YAML_FEATURE anchors are not accepted/],
  ])('is refused with the position of the mistake and exit code 2: %s', async (text, message) => {
    const { code, stderr, stdout, files } = await importMetadata(text);
    expect({ code, stdout, files }).toEqual({ code: 2, stdout: '', files: undefined });
    expect(stderr).toMatch(message);
  });

  test('is refused with RG_TOO_DEEP when it is nested too deeply', async () => {
    const { code, stderr } = await importMetadata(`${'['.repeat(100_000)}${']'.repeat(100_000)}`);
    expect(code).toBe(2);
    expect(stderr).toContain('RG_TOO_DEEP');
  });

  test('is refused with the position of a table, role or rule that Hasura itself would refuse', async () => {
    const shapes = [
      [{ select_permissions: [] }],
      [{ table: 'a' }, { table: { schema: 'public', name: 'a' } }],
      [
        {
          table: 'a',
          select_permissions: [
            { role: 'r', permission: all },
            { role: 'r', permission: all },
          ],
        },
      ],
      [{ table: 'a', object_relationships: [{ name: 'b', using: {} }] }],
      [
        {
          table: 'a',
          select_permissions: [{ role: 'r', permission: { ...all, allow_aggregations: 'yes' } }],
        },
      ],
    ];
    const runs = await Promise.all(shapes.map((tables) => importMetadata(metadataOf(tables))));
    expect(
      runs.map(({ code, stderr }) => [code, stderr.replace(/^hasura\.json:1:\d+ RG_SHAPE /, '')]),
    ).toEqual([
      [2, 'sources[0].tables[0]: "table" is missing\n'],
      [2, 'sources[0].tables[1]: public.a is tracked twice\n'],
      [2, 'sources[0].tables[0].select_permissions[1]: role "r" is there twice\n'],
      [
        2,
        'sources[0].tables[0].object_relationships[0].using: a relationship needs a foreign key or a manual configuration\n',
      ],
      [
        2,
        'sources[0].tables[0].select_permissions[0].permission.allow_aggregations: true or false is expected here, not "yes"\n',
      ],
    ]);
  });
});

test('an import reads JSON with any indentation, byte order mark and escapes', async () => {
  const name = 'a/b 😀 "é"';
  const text = JSON.stringify(metadataOf([{ table: name }]), null, '\t').replace(
    'a/b 😀',
    'a\\/b \\ud83d\\ude00',
  );
  const { code, files } = await importMetadata(`\ufeff${text}\n`);
  expect(code).toBe(0);
  expect(Object.values(files ?? {})).toContain(`table: ${name}\n`);
});

/** Loads the metadata of a folder and expects no findings. */
async function reload(folder: string) {
  const report = new Report();
  const loaded = await loadMetadata(folder, report);
  expect(report.diagnostics).toEqual([]);
  return loaded;
}

test('an import keeps names with quotes, spaces, YAML syntax and other special characters unchanged', async () => {
  const golden = path.resolve(import.meta.dirname, 'golden/hostile-names');
  const given = JSON.parse(await readFile(path.join(golden, 'hasura.json'), 'utf8'));
  const names: string[] = given.sources[0].tables.map(
    (one: { table: { name: string } }) => one.table.name,
  );
  const loaded = await reload(path.join(golden, 'metadata'));
  expect(loaded?.tables.map(({ name }) => name).sort()).toEqual(names.toSorted());
  const rules = loaded?.tables.flatMap(({ permissions }) => permissions) ?? [];
  const selected = rules.flatMap(({ select }) => (select ? [toPlain(select.filter)] : []));
  const expected = names.filter((name) => name !== 'b').map((name) => ({ [name]: { _eq: name } }));
  expect(selected.map((one) => JSON.stringify(one)).sort()).toEqual(
    expected.map((one) => JSON.stringify(one)).sort(),
  );
  const roles = names.filter((name) => name !== 'b').map((name) => `role ${name}`);
  expect(loaded?.roles.map(({ name }) => name).sort()).toEqual([...roles, 'values'].sort());
});

test('an import keeps values that look like YAML syntax, numbers or other types unchanged', async () => {
  const values = [
    ...[
      'tab\there',
      'new\nline',
      'cr\r\n',
      'null',
      '~',
      '1',
      'true',
      '',
      ' ',
      '\0',
      '\u202e',
      '\u2028',
    ],
    ...[
      '<<',
      '- x',
      '*a',
      '&a',
      '!a',
      '%',
      '@',
      '`',
      '0x1f',
      '.inf',
      'a: b',
      '#',
      '"',
      "'",
      '\\',
      '😀',
    ],
    ...[1, -1.5, 1e21, true, false, null, [], {}, ['a', ['b']], { k: null }],
  ];
  const rule = {
    role: 'r',
    permission: { columns: ['v'], filter: { v: { _contains: { values } } } },
  };
  const { out } = await importMetadata(metadataOf([{ table: 't', select_permissions: [rule] }]));
  const filter = (await reload(out))?.tables[0]?.permissions[0]?.select?.filter;
  expect(filter && JSON.stringify(toPlain(filter))).toBe(JSON.stringify(rule.permission.filter));
});

/** The only file that an export must have. */
const version = { 'version.yaml': 'version: 3\n' };
const databases = (tables: string) => `- name: default\n  kind: postgres\n  tables: ${tables}\n`;

async function importFolder(files: Tree) {
  const folder = await temporaryFolder();
  const exported = path.join(folder, 'export');
  await writeTree(exported, files);
  await writeFile(path.join(folder, 'outside.yaml'), 'table: outside\n');
  const imported = await runImport(exported);
  return { ...imported, stderr: imported.stderr.replaceAll(`${exported}/`, '') };
}

describe('a folder exported by Hasura', () => {
  test('is imported when it lies inside a project folder', async () => {
    const { code } = await importFolder({
      'metadata/version.yaml': 'version: 3\n',
      'config.yaml': 'version: 3\n',
    });
    expect(code).toBe(0);
  });

  test('is refused without a version.yaml', async () => {
    const { code, stderr } = await importFolder({ 'tables.yaml': '[]\n' });
    expect(code).toBe(2);
    expect(stderr).toContain('the folder has no version.yaml');
  });

  test.each([
    ['"!include ../../outside.yaml"', 'lies outside the export'],
    ['!include ../../outside.yaml', 'lies outside the export'],
    ['"!include databases.yaml"', 'leads to itself'],
    ['"!include gone.yaml"', 'does not exist'],
  ])('is refused when one of its files includes %s', async (include, problem) => {
    const files = { ...version, 'databases/databases.yaml': databases(include) };
    const { code, stderr } = await importFolder(files);
    expect(code).toBe(2);
    expect(stderr).toMatch(
      /^databases\/databases\.yaml:3:\d+ RG_FILE_UNREADABLE the included file /,
    );
    expect(stderr).toContain(problem);
  });

  test('is refused with the name and line of the included file that has a mistake', async () => {
    const { code, stderr } = await importFolder({
      ...version,
      'databases/databases.yaml': databases('"!include default/tables/tables.yaml"'),
      'databases/default/tables/tables.yaml': '- "!include a.yaml"\n',
      'databases/default/tables/a.yaml': 'table: [\n',
    });
    expect(code).toBe(2);
    expect(stderr).toMatch(/^databases\/default\/tables\/a\.yaml:\d+:\d+ RG_YAML_SYNTAX /);
  });
});
