import { expect, test } from 'vitest';
import {
  load,
  makeFolder,
  messagesFor,
  messagesForTable,
  minimalFiles,
} from './metadata-folder.ts';

const trigger = (text: string) => `table: t\nevents:\n  e: ${text}\n`;
const to = (webhook: string) =>
  trigger(`{ operations: [insert], webhook: ${JSON.stringify(webhook)} }`);
const sending = (headers: string) =>
  trigger(`{ operations: [insert], webhook: /w, headers: ${headers} }`);
const retrying = (retry: string) =>
  trigger(`{ operations: [insert], webhook: /w, retry: ${retry} }`);

test('an event trigger read from a table file gets a default for each key that is omitted', async () => {
  const folder = await makeFolder({
    ...minimalFiles,
    'tables/t.yaml': trigger('{ operations: [delete, insert], webhook: /w }'),
  });
  const { metadata } = await load(folder);
  expect(metadata?.tables[0]?.events).toEqual([
    {
      name: 'e',
      position: expect.objectContaining({ line: 3, column: 3 }),
      operations: ['insert', 'delete'],
      columns: undefined,
      payload: undefined,
      webhook: '/w',
      headers: [],
      retry: { limit: 20, interval: 10, maxInterval: 3600, timeout: 60 },
      orderBy: undefined,
    },
  ]);
});

test.each([
  '/webhooks/on-user-insert',
  '/a/b?c=d&e=%20',
  '/hooks/{{NAME}}',
  'https://example.com',
  'http://127.0.0.1:8080/hook?x=1',
  'https://{{HOST}}:{{PORT}}/{{PATH}}',
  'HTTPS://EXAMPLE.COM/',
  '{{WHOLE}}',
  '{{ BASE }}/hook',
])('loading accepts an event trigger with the webhook %s', async (webhook) => {
  expect(await messagesForTable(to(webhook))).toEqual([]);
});

test.each([
  ['hook', 'is neither a path nor an http(s) URL'],
  ['ftp://example.com', 'is neither a path nor an http(s) URL'],
  ['javascript:alert(1)', 'is neither a path nor an http(s) URL'],
  ['https:example.com', 'is neither a path nor an http(s) URL'],
  ['https://', 'is neither a path nor an http(s) URL'],
  ['https://exa mple.com', 'is neither a path nor an http(s) URL'],
  ['https://example.com\\@evil.example', 'is neither a path nor an http(s) URL'],
  ['https://ann:secret@example.com', 'holds a user name or password'],
  ['https://{{USER}}@example.com', 'holds a user name or password'],
  ['https://example.com/#part', 'holds "#"'],
  ['/', 'is no path of this platform'],
  ['//evil.example/x', 'is no path of this platform'],
  ['/\\evil.example', 'is no path of this platform'],
  ['/{{HOST}}/x', 'is no path of this platform'],
  ['/a/../v1/graphql', 'is no path of this platform'],
  ['/a b', 'is no path of this platform'],
  ['/a#b', 'is no path of this platform'],
  ['/a\nb', 'is no path of this platform'],
])('loading refuses an event trigger with the webhook %j', async (webhook, why) => {
  const [message] = await messagesForTable(to(webhook));
  expect(message).toMatch(/^3:\d+ RG_WEBHOOK the webhook /);
  expect(message).toContain(why);
  expect(message).not.toContain('secret');
});

test.each([
  'ROWGATE_ADMIN_SECRET',
  'rowgate_admin_secret',
  'DATABASE_URL',
  'PGPASSWORD',
  'NODE_OPTIONS',
])(
  'loading refuses a webhook URL or header that would contain the environment variable %s',
  async (name) => {
    const refused = `RG_WEBHOOK {{${name}}} is not for webhooks`;
    expect((await messagesForTable(to(`https://example.com/{{${name}}}`)))[0]).toContain(refused);
    expect((await messagesForTable(sending(`{ a: 'x {{ ${name} }}' }`)))[0]).toContain(refused);
  },
);

test.each(['{{}}', '{{a-b}}', '{{a', 'a}}', '{{{{A}}}}', '{{A}} }}', '{{1}}'])(
  'loading refuses the placeholder %s in a webhook header',
  async (text) => {
    const [message] = await messagesForTable(sending(`{ a: ${JSON.stringify(text)} }`));
    expect(message).toContain('RG_WEBHOOK what stands in {{ }} is no name');
  },
);

test.each([
  ['{ "a b": x }', '"a b" is no name of a header'],
  ['{ "a:": x }', '"a:" is no name of a header'],
  ['{ Größe: x }', '"Größe" is no name of a header'],
  ['{ Content-Type: x }', '"Content-Type" is one that Rowgate sends by itself'],
  ['{ content-length: x }', '"content-length" is one that Rowgate sends by itself'],
  ['{ HOST: x }', '"HOST" is one that Rowgate sends by itself'],
  ['{ X-Platform-Api-Token: x }', '"X-Platform-Api-Token" is one that Rowgate sends by itself'],
  ['{ a: x, A: y }', '"A" is given twice'],
  ['{ a: "x\\r\\nb: y" }', 'the value of the header "a" cannot be sent'],
  ['{ a: "ü" }', 'the value of the header "a" cannot be sent'],
])('loading refuses an event trigger with the webhook headers %s', async (headers, why) => {
  const messages = await messagesForTable(sending(headers));
  expect(messages).toHaveLength(1);
  expect(messages[0]).toContain('RG_HEADER');
  expect(messages[0]).toContain(why);
});

test.each([
  ['{ limit: -1 }', 'RG_SHAPE "limit" must be a whole number from 0 to 1000'],
  ['{ limit: 1001 }', 'RG_SHAPE "limit" must be a whole number from 0 to 1000'],
  ['{ limit: 1.5 }', 'RG_SHAPE "limit" must be a whole number from 0 to 1000'],
  ['{ interval: 0 }', 'RG_SHAPE "interval" must be a whole number from 1 to 86400'],
  ['{ timeout: 601 }', 'RG_SHAPE "timeout" must be a whole number from 1 to 600'],
  ['{ tries: 1 }', 'RG_UNKNOWN_KEY unknown key "tries"'],
  [
    '{ interval: 60, max_interval: 30 }',
    'RG_EVENT "max_interval" (30) is less than "interval" (60)',
  ],
])('loading refuses an event trigger with the retry settings %s', async (retry, why) => {
  expect((await messagesForTable(retrying(retry)))[0]).toContain(why);
});

test.each([
  ['without operations', '{ webhook: /w }', 'RG_SHAPE "e" lacks "operations"'],
  [
    'with an empty list of operations',
    '{ operations: [], webhook: /w }',
    'RG_SHAPE "operations" must be a list',
  ],
  [
    'with an unknown operation',
    '{ operations: [truncate], webhook: /w }',
    'RG_SHAPE item 1 of "operations" must be insert, update or delete, but is "truncate"',
  ],
  ['without a webhook', '{ operations: [insert] }', 'RG_SHAPE "e" lacks "webhook"'],
  [
    'with an empty list of columns',
    '{ operations: [update], webhook: /w, columns: [] }',
    'RG_SHAPE "columns" must be a list of columns',
  ],
  [
    'with a column twice in payload',
    '{ operations: [update], webhook: /w, payload: [a, a] }',
    'RG_SHAPE item 2 of "payload" is "a", as is item 1; leave one of the two out',
  ],
  [
    'with columns although no update fires it',
    '{ operations: [insert], webhook: /w, columns: [a] }',
    'RG_EVENT "columns" says which changes matter, and no update fires this trigger',
  ],
])('loading refuses an event trigger %s', async (_what, text, why) => {
  expect((await messagesForTable(trigger(text)))[0]).toContain(why);
});

test.each(['Upper', '1st', 'a-b', '_a', 'a'.repeat(64)])(
  'loading refuses %s as the name of an event trigger or a cron schedule',
  async (name) => {
    const file = `table: t\nevents:\n  ${name}: { operations: [insert], webhook: /w }\n`;
    const message = `"${name}" cannot be the name of`;
    expect((await messagesForTable(file))[0]).toContain(`RG_EVENT ${message}`);
    const cron = { 'cron.yaml': `${name}: { schedule: '* * * * *', job: a }\n` };
    expect((await messagesFor(cron))[0]).toContain(`RG_SCHEDULE ${message}`);
  },
);
