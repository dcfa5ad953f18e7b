import { expect, test } from 'vitest';
import { load, makeFolder, messagesFor, minimalFiles } from './metadata-folder.ts';

const scheduled = (expression: string) =>
  messagesFor({ 'cron.yaml': `a: { schedule: ${JSON.stringify(expression)}, job: b }\n` });

test('a schedule read from cron.yaml gets a default for each key that is omitted', async () => {
  const cron = `
hook: { schedule: ' 0 8 * * * ', webhook: /w, payload: { n: [1, null], text: x } }
job: { schedule: '*/15 * * * *', timezone: Europe/Berlin, job: coin_prices, retry: { limit: 0 } }
`;
  const { metadata } = await load(await makeFolder({ ...minimalFiles, 'cron.yaml': cron }));
  const retry = { limit: 3, interval: 10, maxInterval: 3600, timeout: 60 };
  expect(metadata?.schedules).toEqual([
    {
      name: 'hook',
      cron: '0 8 * * *',
      timezone: 'UTC',
      run: { kind: 'webhook', webhook: '/w', payload: { n: [1, null], text: 'x' } },
      retry,
      position: expect.objectContaining({ line: 2, column: 1 }),
    },
    {
      name: 'job',
      cron: '*/15 * * * *',
      timezone: 'Europe/Berlin',
      run: { kind: 'job', job: 'coin_prices' },
      retry: { ...retry, limit: 0 },
      position: expect.objectContaining({ line: 3, column: 1 }),
    },
  ]);
});

test('metadata without a cron.yaml has no schedules', async () => {
  expect((await load(await makeFolder(minimalFiles))).metadata?.schedules).toEqual([]);
});

test.each([
  '* * * * *',
  '0 0 * * *',
  '*/15 * * * *',
  '0,30 8-18/2 1,15 jan-mar mon-fri',
  '59 23 31 12 7',
  '0 0 29 2 *',
  '0 0 31 2 mon',
  '5-10 0 * * SUN,wed',
])('loading accepts the cron expression %s', async (expression) => {
  expect(await scheduled(expression)).toEqual([]);
});

test.each([
  ['* * * *', 'must have five fields and has 4'],
  ['0 * * * * *', 'must have five fields and has 6'],
  ['', 'must have five fields and has 1'],
  ['@daily', 'must have five fields and has 1'],
  ['60 * * * *', 'has "60" for the minute, which goes from 0 to 59'],
  ['* 24 * * *', 'has "24" for the hour'],
  ['* * 0 * *', 'has "0" for the day of the month'],
  ['* * * 13 *', 'has "13" for the month'],
  ['* * * * 8', 'has "8" for the day of the week'],
  ['*/0 * * * *', 'has "*/0" for the minute'],
  ['*/60 * * * *', 'has "*/60" for the minute'],
  ['5/10 * * * *', 'has "5/10" for the minute'],
  ['10-5 * * * *', 'has "10-5" for the minute'],
  ['* 8-24 * * *', 'has "8-24" for the hour'],
  ['* * * * mon-january', 'has "mon-january" for the day of the week'],
  ['* H * * *', 'has "H" for the hour'],
  ['*,5 * * * *', 'has "*,5" for the minute, which goes from 0 to 59, each value once'],
  ['1,,2 * * * *', 'has "1,,2" for the minute'],
  ['-1 * * * *', 'has "-1" for the minute'],
  ['1.5 * * * *', 'has "1.5" for the minute'],
  ['* * L * *', 'has "L" for the day of the month'],
  ['* * ? * *', 'has "?" for the day of the month'],
  ['* * * * mon#1', 'has "mon#1" for the day of the week'],
  ['* * * january *', 'has "january" for the month'],
  ['0 0 31 2,4 *', 'names a day that no month has'],
])('loading refuses the cron expression %j and names the wrong field', async (expression, why) => {
  const [message] = await scheduled(expression);
  expect(message).toMatch(/^cron\.yaml:1:\d+ RG_SCHEDULE the cron expression /);
  expect(message).toContain(why);
});

test.each([
  ['Europe/Berln', 'there is no time zone "Europe/Berln"; did you mean "Europe/Berlin"?'],
  ['+01:00', 'there is no time zone "+01:00"'],
  ['', 'there is no time zone ""'],
])('loading refuses a schedule in the time zone %j', async (timezone, why) => {
  const cron = `a: { schedule: '* * * * *', job: b, timezone: ${JSON.stringify(timezone)} }\n`;
  expect((await messagesFor({ 'cron.yaml': cron }))[0]).toContain(`RG_SCHEDULE ${why}`);
});

test.each([
  ['neither webhook nor job', `{ schedule: '* * * * *' }`, 'must have either "webhook" or "job"'],
  [
    'both webhook and job',
    `{ schedule: '* * * * *', job: b, webhook: /w }`,
    'must have either "webhook" or "job"',
  ],
  [
    'a payload for a job',
    `{ schedule: '* * * * *', job: b, payload: {} }`,
    'a job takes no payload',
  ],
  ['no expression', '{ job: b }', 'RG_SHAPE "a" lacks "schedule"'],
  [
    'a bad webhook',
    `{ schedule: '* * * * *', webhook: hook }`,
    'RG_WEBHOOK the webhook is neither a path',
  ],
])('loading refuses a schedule with %s', async (_what, text, why) => {
  expect((await messagesFor({ 'cron.yaml': `a: ${text}\n` }))[0]).toContain(why);
});

test('loading refuses cron.yml and suggests the extension .yaml', async () => {
  expect(await messagesFor({ 'cron.yml': '{}' })).toEqual([
    'cron.yml:1:1 RG_FILE_UNREADABLE metadata files must end in .yaml; rename it to cron.yaml',
  ]);
});
