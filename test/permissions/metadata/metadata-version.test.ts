import { expect, test } from 'vitest';
import { load, makeFolder, messagesFor, minimalFiles } from './metadata-folder.ts';

test('metadata with version 1 are read', async () => {
  const { metadata, messages } = await load(
    await makeFolder({ ...minimalFiles, 'rowgate.yaml': 'version: 1\n' }),
  );
  expect(messages).toEqual([]);
  expect(metadata?.settings.version).toBe(1);
});

test('metadata without a version are read as version 1', async () => {
  const { metadata } = await load(await makeFolder(minimalFiles));
  expect(metadata?.settings.version).toBe(1);
});

test('a newer version is refused before any other mistake is reported', async () => {
  const messages = await messagesFor({
    'rowgate.yaml': 'version: 2\nkey_of_version_2: true\n',
    'roles.yaml': 'roles: { reader: { key_of_version_2: true } }\n',
  });
  expect(messages).toEqual([
    'rowgate.yaml:1:10 RG_METADATA_VERSION the metadata have version 2, but this program reads version 1; install a newer rowgate, or go back to metadata of this version',
  ]);
});

test.each(['0', '1.5', 'one', '"1"', 'true', '[1]'])(
  'the version %s is refused',
  async (version) => {
    const [message, ...others] = await messagesFor({ 'rowgate.yaml': `version: ${version}\n` });
    expect(message).toMatch(/^rowgate\.yaml:1:10 RG_(SHAPE|METADATA_VERSION) /);
    expect(others).toEqual([]);
  },
);
