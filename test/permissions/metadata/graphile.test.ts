import { expect, test } from 'vitest';
import { load, makeFolder, messagesFor, minimalFiles } from './metadata-folder.ts';

const graphileOf = async (text: string) => {
  const { metadata } = await load(await makeFolder({ ...minimalFiles, 'graphile.yaml': text }));
  return metadata?.graphile;
};

test('metadata without a graphile.yaml does not turn on the PostGraphile dialect', async () => {
  expect((await load(await makeFolder(minimalFiles))).metadata?.graphile).toBeUndefined();
});

test('an empty graphile.yaml turns on the PostGraphile dialect with default limits', async () => {
  expect(await graphileOf('{}\n')).toMatchObject({
    ...{ endpoint: '/graphql', config: undefined },
    limits: {
      tokens: 5000,
      fields: 300,
      depth: 12,
      nodes: 200_000,
      defaultRows: 200,
      maxRows: 1000,
    },
  });
});

test('the default page size of graphile.yaml is never larger than max_rows', async () => {
  expect((await graphileOf('limits: { max_rows: 50 }\n'))?.limits.defaultRows).toBe(50);
});

test.each([
  ['endpoint: graphql', 'RG_SHAPE "endpoint" must be a path like /graphql'],
  ['endpoint: /v1/graphql', 'RG_SHAPE "endpoint" must be a path like /graphql'],
  ['endpoint: /v1alpha1', 'RG_SHAPE "endpoint" must be a path like /graphql'],
  ['endpoint: /docs', 'RG_SHAPE "endpoint" must be a path like /graphql'],
  ['endpoint: /healthz', 'RG_SHAPE "endpoint" must be a path like /graphql'],
  ['config: /etc/passwd', 'RG_SHAPE "config" must be a path like ./graphile.config.ts'],
  ['config: ./preset.json', 'RG_SHAPE "config" must be a path like ./graphile.config.ts'],
  ['limits: { fields: 0 }', 'RG_SHAPE "fields" must be a whole number from 1 to 5000'],
  ['limits: { rows: 5 }', 'RG_UNKNOWN_KEY unknown key "rows" in "limits"'],
  ['subscriptions: true', 'RG_UNKNOWN_KEY unknown key "subscriptions"'],
  [
    'limits: { default_rows: 20, max_rows: 10 }',
    'RG_GRAPHILE "default_rows" is 20, more than "max_rows", which is 10',
  ],
])('loading refuses a graphile.yaml with %s', async (text, message) => {
  const [found] = await messagesFor({ 'graphile.yaml': `${text}\n` });
  expect(found).toContain(message);
});
