import { expect, test } from 'vitest';
import { namedApplication } from '../../../permissions/index.ts';
import { makeFolder, messagesFor, minimalFiles } from './metadata-folder.ts';

test('namedApplication returns the name in rowgate.yaml with its position', async () => {
  const folder = await makeFolder({ 'rowgate.yaml': 'strict_keys: true\napplication: shop\n' });
  expect(await namedApplication(folder)).toEqual({
    name: 'shop',
    position: { file: `${folder}/rowgate.yaml`, line: 2, column: 14 },
  });
});

test.each([
  ['without a rowgate.yaml', {}],
  ['if rowgate.yaml does not name one', { 'rowgate.yaml': 'strict_keys: true\n' }],
  ['if rowgate.yaml is invalid', { 'rowgate.yaml': 'application: [shop]\n' }],
])('namedApplication returns undefined %s', async (_, files: Readonly<Record<string, string>>) => {
  expect(await namedApplication(await makeFolder(files))).toBeUndefined();
});

test('loading refuses an application name with spaces or capitals', async () => {
  expect(
    await messagesFor({ ...minimalFiles, 'rowgate.yaml': 'application: "My shop"\n' }),
  ).toEqual([
    'rowgate.yaml:1:14 RG_SHAPE "application" must be the name of an application, in lower-case letters, but is "My shop"',
  ]);
});
