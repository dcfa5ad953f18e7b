import { expect, test } from 'vitest';
import { load, makeFolder, messagesFor, minimalFiles } from './metadata-folder.ts';

test('a function file is read with all of its keys', async () => {
  const folder = await makeFolder({
    ...minimalFiles,
    'functions/deep/search.yaml': `function: { schema: odd.schema, name: search }
exposed_as: mutation
session_argument: session
rights: owner
permissions: [reader]
graphql:
  name: find
  description: ''
  root_fields: { function: { name: findThem, description: All }, function_aggregate: countThem }
`,
  });
  const [found] = (await load(folder)).metadata?.functions ?? [];
  expect(found).toMatchObject({
    function: { schema: 'odd.schema', table: 'search' },
    exposedAs: 'mutation',
    sessionArgument: { name: 'session' },
    rights: { of: 'owner' },
    permissions: [{ name: 'reader' }],
    graphql: {
      name: { name: 'find' },
      description: '',
      function: { name: { name: 'findThem' }, description: 'All' },
      functionAggregate: { name: { name: 'countThem' }, description: undefined },
    },
  });
});

test.each([
  [
    'exposed_as: subscription',
    'functions/f.yaml:2:13 RG_SHAPE exposed_as must be query or mutation',
  ],
  ['rights: nobody', 'functions/f.yaml:2:9 RG_SHAPE rights must be caller or owner'],
  ['permissions: reader', 'functions/f.yaml:2:14 RG_SHAPE permissions must be a list of roles'],
  ['right: owner', 'functions/f.yaml:2:1 RG_UNKNOWN_KEY "right" is not a key'],
])(
  'loading refuses a function file with the line %s, and names its position',
  async (line, message) => {
    const messages = await messagesFor({ 'functions/f.yaml': `function: f\n${line}\n` });
    expect(messages).toHaveLength(1);
    expect(messages[0]?.slice(0, 30)).toBe(message.slice(0, 30));
  },
);

test('loading refuses a function file that lists a role twice', async () => {
  const messages = await messagesFor({
    'functions/f.yaml': 'function: f\npermissions: [a, b, a]\n',
  });
  expect(messages).toEqual([
    expect.stringMatching(
      /functions\/f.yaml:2:21 RG_SHAPE item 3 of "permissions" is "a", as is item 1/,
    ),
  ]);
});

test('loading refuses a function file that ends in .yml', async () => {
  const messages = await messagesFor({ 'functions/f.yml': 'function: f' });
  expect(messages).toEqual([expect.stringContaining('functions/f.yml:1:1 RG_FILE_UNREADABLE')]);
});
