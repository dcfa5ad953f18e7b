import { expect, test } from 'vitest';
import { load, makeFolder, messagesFor, minimalFiles } from './metadata-folder.ts';

const messagesForActions = (text: string) => messagesFor({ 'actions.yaml': text });

test('an action read from actions.yaml gets a default for each key that is omitted', async () => {
  const text = `
actions:
  refund: { type: mutation, output_type: Refund!, handler: '{{HANDLERS}}/refund' }
  report:
    type: mutation
    kind: asynchronous
    arguments: { year: Int!, label: { type: String, description: on the cover } }
    output_type: Refund
    handler: /report
    timeout: 5
    retry: { limit: 9 }
custom_types:
  objects:
    Refund: { fields: { id: uuid! }, relationships: { invoice: { table: invoice, field_mapping: { id: id } } } }
  enums:
    Reason: { values: { late: came too late, broken: null } }
    Size: { values: [small, large] }
`;
  const { metadata, messages } = await load(
    await makeFolder({ ...minimalFiles, 'actions.yaml': text }),
  );
  expect(messages).toEqual([]);
  const [refund, report] = metadata?.actions.actions ?? [];
  const retry = { limit: 0, interval: 10, maxInterval: 3600, timeout: 30 };
  expect(refund).toMatchObject({
    name: 'refund',
    type: 'mutation',
    kind: { name: 'synchronous' },
    arguments: [],
    headers: [],
    forwardClientHeaders: [],
    retry,
    permissions: [],
    position: { line: 3, column: 3 },
  });
  expect(report).toMatchObject({
    kind: { name: 'asynchronous' },
    retry: { ...retry, limit: 9, timeout: 5 },
    arguments: [
      { name: 'year', type: { name: 'Int!' }, description: undefined },
      { name: 'label', type: { name: 'String' }, description: 'on the cover' },
    ],
  });
  expect(metadata?.actions.customTypes).toMatchObject([
    { kind: 'object', relationships: [{ name: 'invoice', kind: 'object' }] },
    { kind: 'enum', values: [{ name: 'late', description: 'came too late' }, { name: 'broken' }] },
    { kind: 'enum', values: [{ name: 'small' }, { name: 'large' }] },
  ]);
});

test('metadata without an actions.yaml has no actions', async () => {
  const { metadata } = await load(await makeFolder(minimalFiles));
  expect(metadata?.actions).toEqual({ actions: [], customTypes: [] });
});

test.each([
  [
    'actions: { a: { type: subscription, output_type: Int, handler: /h } }',
    'actions.yaml:1:23 RG_SHAPE "type" must be query or mutation, but is "subscription"',
  ],
  [
    'actions: { a: { type: query, output_type: Int } }',
    'actions.yaml:1:12 RG_SHAPE "a" lacks "handler"; add "handler": a path of this platform or an http(s) URL',
  ],
  [
    'actions: { a: { type: query, output_tpe: Int, output_type: Int, handler: /h } }',
    'actions.yaml:1:30 RG_UNKNOWN_KEY unknown key "output_tpe" in "a"; did you mean "output_type"?',
  ],
  [
    'actions: { a: { type: query, output_type: Int, handler: "ftp://x" } }',
    'actions.yaml:1:57 RG_WEBHOOK the webhook is neither a path nor an http(s) URL; begin it with "/", "https://", "http://" or {{NAME}}',
  ],
  [
    'actions: { a: { type: query, output_type: Int, handler: "{{ROWGATE_ADMIN_SECRET}}" } }',
    'actions.yaml:1:57 RG_WEBHOOK {{ROWGATE_ADMIN_SECRET}} is not for webhooks; names that begin with ROWGATE_, DATABASE_, PG or NODE_ stay here; use another',
  ],
  [
    'actions: { a: { type: query, output_type: Int, handler: /h, headers: { Host: x } } }',
    'actions.yaml:1:72 RG_HEADER the header "Host" is one that Rowgate sends by itself',
  ],
  [
    'actions: { a: { type: query, output_type: Int, handler: /h, retry: { limit: 2 } } }',
    'actions.yaml:1:68 RG_ACTION the action "a" has "retry", but is synchronous; a client waits for the answer and can repeat the request itself; omit "retry"',
  ],
  [
    'custom_types: { objects: { A: { fields: {} } } }',
    'actions.yaml:1:41 RG_SHAPE "fields" must be a map of names to types, but is an empty map',
  ],
])(
  'loading refuses an actions.yaml with the mistake %s, and names its position',
  async (text, message) => {
    expect(await messagesForActions(`${text}\n`)).toEqual([message]);
  },
);

test('loading refuses the file name actions.yml and suggests the extension .yaml', async () => {
  expect(await messagesFor({ 'actions.yml': '{}\n' })).toEqual([
    'actions.yml:1:1 RG_FILE_UNREADABLE metadata files must end in .yaml; rename it to actions.yaml',
  ]);
});
