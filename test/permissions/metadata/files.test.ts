import { execFileSync } from 'node:child_process';
import { mkdir, symlink } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';
import {
  load,
  makeFolder,
  messagesFor,
  messagesForTable,
  minimalFiles,
} from './metadata-folder.ts';

test('loading refuses a metadata folder that does not exist', async () => {
  const { messages, metadata } = await load('/nowhere/metadata');
  expect(messages).toEqual([
    '/nowhere/metadata:1:1 RG_FILE_UNREADABLE the path does not exist; name the folder with --metadata, or let `rowgate init` write one',
  ]);
  expect(metadata).toBeUndefined();
});

test('loading refuses a file given as the metadata folder', async () => {
  const folder = await makeFolder(minimalFiles);
  const { messages } = await load(path.join(folder, 'roles.yaml'));
  expect(messages).toEqual([
    expect.stringContaining('RG_FILE_UNREADABLE the path is not a folder'),
  ]);
});

test('loading refuses a folder without roles.yaml and tables, and says what to create', async () => {
  const { messages } = await load(await makeFolder({ 'notes.txt': '' }));
  expect(messages).toEqual([
    expect.stringMatching(/^roles\.yaml:1:1 RG_FILE_UNREADABLE there is no roles\.yaml; /),
    'tables:1:1 RG_FILE_UNREADABLE there is no folder tables; make it, with one file a table',
  ]);
});

test.each([
  ['roles.yml', 'roles.yaml'],
  ['filters.yml', 'filters.yaml'],
  ['tables/invoice.yml', 'tables/invoice.yaml'],
  ['tables/sub/INVOICE.YAML', 'tables/sub/INVOICE.yaml'],
])('loading refuses %s and suggests the extension .yaml', async (written, expected) => {
  const messages = await messagesFor({ [written]: 'table: t' });
  expect(messages).toEqual([
    expect.stringMatching(
      new RegExp(
        `^${written}:1:1 RG_FILE_UNREADABLE metadata files must end in .yaml; rename it to .*${expected}$`,
      ),
    ),
  ]);
});

test('loading refuses a metadata file over 1 MiB without parsing it', async () => {
  // The message must not be about nesting: that would mean that the file was parsed.
  const messages = await messagesForTable('['.repeat(5_000_000));
  expect(messages).toEqual([
    '1:1 RG_FILE_TOO_LARGE the file holds 5000000 bytes, more than 1048576; split it, one table a file',
  ]);
});

test('loading accepts a metadata file of exactly 1 MiB', async () => {
  const head = 'table: t\n#';
  expect(await messagesForTable(head.padEnd(1024 * 1024, 'x'))).toEqual([]);
});

test.each([
  ['Latin-1', Buffer.from('table: caf\xe9\n', 'latin1'), '1:11'],
  ['UTF-16', Buffer.from('\ufefftable: t\n', 'utf16le'), '1:1'],
  [
    'a cut character',
    Buffer.concat([Buffer.from('table: t\n# '), Buffer.from([0xe2, 0x82])]),
    '2:3',
  ],
])(
  'loading refuses a file with %s at the first byte that is not UTF-8',
  async (_, bytes, place) => {
    expect(await messagesForTable(bytes)).toEqual([
      `${place} RG_FILE_UNREADABLE the file is not UTF-8; save it as UTF-8`,
    ]);
  },
);

test('loading refuses a symbolic link to a parent folder and reports it once', async () => {
  const folder = await makeFolder({ ...minimalFiles, 'tables/sub/a.yaml': 'table: a' });
  await symlink('..', path.join(folder, 'tables/sub/loop'));
  expect((await load(folder)).messages).toEqual([
    'tables/sub/loop:1:1 RG_FILE_UNREADABLE the symbolic link leads to a folder that is read already; remove the link',
  ]);
});

test('loading refuses symbolic links to themselves and to missing files', async () => {
  const folder = await makeFolder(minimalFiles);
  await symlink('self.yaml', path.join(folder, 'tables/self.yaml'));
  await symlink('missing.yaml', path.join(folder, 'tables/gone.yaml'));
  await symlink('missing', path.join(folder, 'filters.yaml'));
  expect((await load(folder)).messages).toEqual([
    'filters.yaml:1:1 RG_FILE_UNREADABLE the file does not exist',
    'tables/gone.yaml:1:1 RG_FILE_UNREADABLE the file does not exist',
    'tables/self.yaml:1:1 RG_FILE_UNREADABLE the file is a symbolic link that leads in a circle',
  ]);
});

test('loading follows the symbolic links with which Kubernetes mounts a folder of configuration', async () => {
  const folder = await makeFolder({
    '..1/roles.yaml': 'roles: {}',
    '..1/tables/a.yaml': 'table: a',
  });
  await symlink('..1', path.join(folder, '..data'));
  await symlink('..data/roles.yaml', path.join(folder, 'roles.yaml'));
  await symlink('..data/tables', path.join(folder, 'tables'));
  const { metadata, messages } = await load(folder);
  expect(messages).toEqual([]);
  expect(metadata?.tables).toHaveLength(1);
});

test('loading ignores hidden files and folders', async () => {
  const folder = await makeFolder({
    ...minimalFiles,
    'tables/.draft.yaml': 'tabel: t',
    'tables/..1/a.yaml': 'table: a',
  });
  const { metadata, messages } = await load(folder);
  expect(messages).toEqual([]);
  expect(metadata?.tables).toEqual([]);
});

test('loading refuses a folder or a named pipe in place of a metadata file', async () => {
  const folder = await makeFolder(minimalFiles);
  await mkdir(path.join(folder, 'filters.yaml'));
  execFileSync('mkfifo', [path.join(folder, 'tables/pipe.yaml')]);
  expect((await load(folder)).messages).toEqual([
    'filters.yaml:1:1 RG_FILE_UNREADABLE the path is not an ordinary file',
    'tables/pipe.yaml:1:1 RG_FILE_UNREADABLE the path is not an ordinary file',
  ]);
});

test('loading refuses a file name with a terminal escape sequence and prints the name escaped', async () => {
  const messages = await messagesFor({ 'tables/a\u001b[31m.yaml': 'table: a' });
  expect(messages).toEqual([
    'tables:1:1 RG_FILE_UNREADABLE the name of the file "a\\u001b[31m.yaml" holds the character U+001B; rename it',
  ]);
});
