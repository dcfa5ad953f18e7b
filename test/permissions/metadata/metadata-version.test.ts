import { expect, test } from 'vitest';
import { load, makeFolder, messagesFor, minimalFiles } from './metadata-folder.ts';

test('loading accepts metadata with version 1', async () => {
  const { metadata, messages } = await load(
    await makeFolder({ ...minimalFiles, 'rowgate.yaml': 'version: 1\n' }),
  );
  expect(messages).toEqual([]);
  expect(metadata?.settings.version).toBe(1);
});

test('loading reads metadata without a version as version 1', async () => {
  const { metadata } = await load(await makeFolder(minimalFiles));
  expect(metadata?.settings.version).toBe(1);
});

test('loading refuses metadata of a newer version and reports no other mistake, because it may not know their keys', async () => {
  const messages = await messagesFor({
    'rowgate.yaml': 'version: 2\nkey_of_version_2: true\n',
    'roles.yaml': 'roles: { reader: { key_of_version_2: true } }\n',
  });
  expect(messages).toEqual([
    'rowgate.yaml:1:10 RG_METADATA_VERSION the metadata have version 2, but this program reads version 1; install a newer rowgate, or go back to metadata of this version',
  ]);
});

test.each(['0', '1.5', 'one', '"1"', 'true', '[1]'])(
  'loading refuses the metadata version %s',
  async (version) => {
    const [message, ...others] = await messagesFor({ 'rowgate.yaml': `version: ${version}\n` });
    expect(message).toMatch(/^rowgate\.yaml:1:10 RG_(SHAPE|METADATA_VERSION) /);
    expect(others).toEqual([]);
  },
);
