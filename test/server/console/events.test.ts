import type pg from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { askAxe } from '../../support/axe.ts';
import { describeInBrowser } from '../../support/chromium.ts';
import { createDatabase, type TestDatabase } from '../../support/database.ts';
import { startTestServer, type TestServer } from '../../support/http.ts';
import { type ConsolePage, openConsole } from './support/console-page.ts';
import { checkPictures } from './support/pictures.ts';

const markup = '<img src=x onerror=alert(1)>';
const secret = 'a value of a row';

/** Events of a day ago, of which 60 were given up with status 503 and one without an answer; and one of now. */
const events = `
  truncate rowgate_events.event, rowgate_events.attempt, rowgate_events.paused_trigger,
    rowgate_events.schedule_run, rowgate_mail.letter cascade;
  insert into rowgate_events.event (created_at, trigger, table_schema, table_name, op, data, session_variables,
      relayed_at, tries, dead_at, dead_reason, delivered_at)
    select date_trunc('day', now()) - interval '13 hours' + n * interval '1 minute', 'kyc_profile_update', 'public',
      'kyc_profile', 'UPDATE', '{"old": null, "new": {"id": 12345678901234567890, "note": "${secret} ${markup}"}}',
      '{"x-gql-role": "${markup}"}', now(), 1, case when n <= 61 then now() end,
      case when n <= 61 then 'one try failed: ${markup}' end, case when n > 61 then now() end
    from generate_series(1, 65) n;
  insert into rowgate_events.attempt
    select id, created_at, 1, created_at, case when dead_at is null then 200 when place % 61 = 0 then null else 503 end,
      12, '${markup}', case when dead_at is not null and place % 61 = 0 then '${markup}' end
    from rowgate_events.event;
  insert into rowgate_events.event (trigger, table_schema, table_name, op, data)
    values ('trade_request_update', 'public', 'trade_request', 'UPDATE', '{}');
  insert into rowgate_events.schedule_run (name, finished_at, outcome, detail, instance)
    values ('reaper', now(), 'failed', '{"error": "${markup} ${secret}"}', 'here');
  insert into rowgate_mail.letter (key) values ('one'), ('two');
  insert into rowgate_mail.outbox (key, recipient, subject, text, html, message_id, state, last_error)
    values ('one', 'ada@example.com', '${markup} your invoice', 'Dear Ada ${markup}', '<p>', '<1>', 'failed', '550 ${markup}'),
      ('two', 'bob@example.com', 'hello', 'Dear Bob', '<p>', '<2>', 'sent', null);`;

describeInBrowser('the screen of events (needs /usr/bin/chromium)', () => {
  let database: TestDatabase;
  let server: TestServer;
  let opened: ConsolePage;
  let owner: pg.Client;
  beforeAll(async () => {
    database = await createDatabase({ from: 'applied' });
    owner = await database.connectOwner();
    server = await startTestServer({ database, environment: { ROWGATE_CONSOLE: 'on' } });
    opened = await openConsole(server.url, server.adminSecret);
  });
  beforeEach(() => owner.query(events));
  afterAll(async () => {
    await opened.close();
    await server.stop();
    await owner.end();
    await database.drop();
  });

  const count = async (condition: string): Promise<number> => {
    const { rows } = await owner.query(
      `select count(*)::int as count from rowgate_events.event where ${condition}`,
    );
    return rows[0].count;
  };

  test("yesterday's events that were given up are redelivered by the keyboard alone", async () => {
    await opened.go('events');
    const { page } = opened;
    await page.keyboard.press('Control+k');
    await page.keyboard.type('given up yesterday');
    await page.keyboard.press('Enter');
    const button = page.getByRole('button', { name: 'Redeliver 61 events…' });
    await button.focus();
    await page.keyboard.press('Enter');
    const dialog = page.getByRole('alertdialog', { name: 'Redeliver 61 events?' });
    await dialog.waitFor();
    expect(await dialog.innerText()).toContain('This cannot be undone');
    expect(await page.locator(':focus').innerText()).toBe('Cancel');
    // The focus stays inside of the dialog.
    for (const name of ['Redeliver 61 events', 'Cancel']) {
      await page.keyboard.press('Tab');
      await expect
        .poll(async () => {
          const focused = page.locator(':focus');
          if ((await focused.count()) === 0) await page.keyboard.press('Tab');
          return (await focused.count()) === 0 ? '' : focused.innerText();
        })
        .toBe(name);
    }
    await page.keyboard.press('Escape');
    await expect.poll(() => page.getByRole('alertdialog').count()).toBe(0);
    expect(await page.locator(':focus').innerText()).toBe('Redeliver 61 events…');
    expect(await count('dead_at is not null')).toBe(61);
    await page.keyboard.press('Enter');
    await dialog.getByRole('button', { name: 'Redeliver 61 events' }).focus();
    await page.keyboard.press('Enter');
    await page.getByText('61 events will be delivered again').waitFor();
    expect(await count('dead_at is null and delivered_at is null')).toBe(62);
    await page.getByRole('link', { name: 'Show the events in all states' }).click();
    await page.getByText('65 events match').waitFor();
  });

  test('nothing is redelivered if there are more events than the dialog says', async () => {
    await opened.go('events?part=deliveries&state=delivered');
    const { page } = opened;
    await page.getByRole('button', { name: 'Redeliver 4 events…' }).click();
    await owner.query(
      `update rowgate_events.event set delivered_at = now() where trigger = 'trade_request_update'`,
    );
    await page.getByRole('button', { name: 'Redeliver 4 events', exact: true }).click();
    const problem = page.getByRole('alertdialog').getByRole('alert');
    await problem.waitFor();
    expect(await problem.innerText()).toContain('there are 5 such events by now, not 4');
    await page.getByRole('button', { name: 'Cancel' }).click();
    expect(await count('delivered_at is not null')).toBe(5);
  });

  describe('the deliveries', () => {
    const rows = () => opened.page.getByRole('table', { name: 'Events' }).getByRole('row');

    test('are filtered by trigger, state, time and answer, and the address leads to the same list', async () => {
      await opened.go('events?part=deliveries');
      const { page } = opened;
      await page.getByText('66 events match').waitFor();
      await page.getByLabel('Trigger').selectOption('kyc_profile_update');
      await page.getByLabel('State').selectOption('dead');
      await page.getByRole('button', { name: 'Yesterday' }).click();
      await page.getByLabel('Last answer').fill('none');
      await page.keyboard.press('Enter');
      await page.getByText('1 event matches').waitFor();
      await expect.poll(() => rows().count()).toBe(2);
      await page.reload();
      await expect.poll(() => rows().count()).toBe(2);
      expect(await page.getByLabel('Last answer').inputValue()).toBe('none');
    });

    test('are loaded in pages', async () => {
      // A question of its own, because equal readings share an answer for a second, which has events of other tests.
      await opened.go('events?part=deliveries&since=2020-01-01T00:00:00.000Z');
      await expect.poll(() => rows().count()).toBe(51);
      await opened.page.getByRole('button', { name: 'Show more' }).click();
      await expect.poll(() => rows().count()).toBe(67);
      await opened.page.getByText('This is the end of the list').waitFor();
    });

    test('show data and tries of an event as text, and record it; Escape returns to the list', async () => {
      await opened.go('events?part=deliveries&state=dead');
      const { page } = opened;
      await rows().nth(1).getByRole('link').focus();
      await page.keyboard.press('Enter');
      const details = page.getByRole('region', { name: 'Event of kyc_profile_update' });
      await details.waitFor();
      const text = await details.innerText();
      expect(text).toContain('"id": 12345678901234567890');
      expect(text.split(markup).length).toBeGreaterThan(4);
      expect(await page.locator('main img').count()).toBe(0);
      const { rows: uses } = await owner.query(
        'select actor, endpoint, subject from rowgate.admin_use order by id desc limit 1',
      );
      const [id] = new URL(page.url()).searchParams.getAll('event');
      expect(uses).toEqual([{ actor: 'Zoë Ω', endpoint: '/admin/events/show', subject: id }]);
      await page.keyboard.press('Escape');
      expect(await details.count()).toBe(0);
      expect(await page.locator(':focus').getAttribute('id')).toBe(`event-${id}`);
    });

    test('one event is redelivered from its details', async () => {
      const { rows: found } = await owner.query(
        'select id from rowgate_events.event where dead_at is not null limit 1',
      );
      await opened.go(`events?part=deliveries&event=${found[0].id}`);
      const { page } = opened;
      await page.getByRole('button', { name: 'Redeliver this event…' }).click();
      await page.keyboard.press('Escape');
      await page.getByRole('button', { name: 'Redeliver this event…' }).click();
      await page.getByRole('button', { name: 'Redeliver the event' }).click();
      await expect.poll(() => page.getByRole('alertdialog').count()).toBe(0);
      expect(await count(`id = '${found[0].id}' and dead_at is null`)).toBe(1);
      await page.getByRole('region', { name: 'Event of' }).getByText('waiting').waitFor();
      expect(await page.getByRole('alertdialog').count()).toBe(0);
    });
  });

  test('a trigger is paused and resumed, and the counters lead to its events', async () => {
    await opened.go('events');
    const { page } = opened;
    const row = page.getByRole('row', { name: 'kyc_profile_update' });
    expect(await row.getByRole('cell').nth(2).innerText()).toMatch(/^61\b/);
    await row.getByRole('button', { name: 'Pause' }).click();
    await page.getByRole('button', { name: 'Pause', exact: true }).click();
    await row.getByText('paused').waitFor();
    const paused = await owner.query('select trigger, actor from rowgate_events.paused_trigger');
    expect(paused.rows).toEqual([{ trigger: 'kyc_profile_update', actor: 'Zoë Ω' }]);
    await row.getByRole('button', { name: 'Resume' }).click();
    await page.getByRole('button', { name: 'Resume', exact: true }).click();
    await row.getByRole('button', { name: 'Pause' }).waitFor();
    await row.getByRole('link', { name: '61' }).click();
    await page.getByText('61 events match').waitFor();
  });

  test('charts show how long events waited, as lines and as a table', async () => {
    await opened.go('events?hours=24');
    const { page } = opened;
    const charts = page.getByRole('region', { name: 'How long events wait' });
    await charts.locator('canvas').first().waitFor();
    await charts.getByText('The values as a table').last().click();
    await expect.poll(() => charts.getByRole('row').count()).toBe(49);
    expect(await charts.getByRole('listitem').first().innerText()).toMatch(
      /oldest waiting event: now/,
    );
    await page.getByLabel('Events of').selectOption('trade_request_update');
    await page.getByText('recorded: now 1, at most 1').waitFor();
  });

  test('a schedule is run once, and its history shows results as text', async () => {
    await opened.go('events?part=schedules');
    const { page } = opened;
    const row = page.getByRole('row', { name: 'reaper' });
    expect(await row.innerText()).toContain('failed');
    await row.getByRole('button', { name: 'Run now' }).click();
    await page.getByRole('button', { name: 'Run once' }).click();
    await page.getByText('A worker will run reaper in a moment').waitFor();
    await row.getByRole('button', { name: 'Run now' }).click();
    await page.getByRole('button', { name: 'Run once' }).click();
    await page.getByText('a run was requested already').waitFor();
    await page.getByRole('button', { name: 'Cancel' }).click();
    const { rows } = await owner.query(
      `select data from rowgate_queue.job where name = 'schedules-requested'`,
    );
    expect(rows).toEqual([{ data: { schedule: 'reaper' } }]);
    await row.getByRole('link').click();
    const history = page.getByRole('region', { name: 'Runs of reaper' });
    await history.getByText(secret).waitFor();
    expect(await page.locator('main img').count()).toBe(0);
  });

  test('a mail is shown with its text and sent again', async () => {
    await opened.go('events?part=mails&mailState=failed');
    const { page } = opened;
    await page.getByRole('link', { name: 'your invoice' }).click();
    const details = page.getByRole('region', { name: 'your invoice' });
    await details.getByText('Dear Ada').waitFor();
    expect(await page.locator('main img').count()).toBe(0);
    const { rows } = await owner.query(
      `select endpoint, subject from rowgate.admin_use where endpoint like '/admin/mails%'`,
    );
    expect(rows).toEqual([
      { endpoint: '/admin/mails', subject: 'failed mails' },
      { endpoint: '/admin/mails/show', subject: expect.any(String) },
    ]);
    await details.getByRole('button', { name: 'Send again…' }).click();
    await page.getByRole('button', { name: 'Send the mail' }).click();
    await page.getByText('1 mail waiting, 0 given up').waitFor();
    await details.getByText('waiting, tries: 0').waitFor();
    expect(await page.getByRole('alertdialog').count()).toBe(0);
  });

  test.each([
    ['light', 1280, 'events'],
    ['dark', 1280, 'events?part=deliveries&state=dead'],
    ['light', 390, 'events?part=deliveries'],
    ['dark', 390, 'events?part=schedules&schedule=reaper'],
    ['light', 1280, 'events?part=mails'],
    ['dark', 390, 'events'],
  ] as const)(
    'in %s and %s pixels wide, axe finds no fault at %s',
    async (colorScheme, width, path) => {
      const { page } = opened;
      await page.emulateMedia({ colorScheme });
      await page.setViewportSize({ width, height: 800 });
      await opened.go(path);
      await page.getByRole('table').first().waitFor();
      const { faults, obeyed } = await askAxe(page);
      expect(faults).toEqual([]);
      expect(obeyed).toContain('color-contrast');
      const overflow =
        'document.documentElement.scrollWidth - document.documentElement.clientWidth';
      expect(await page.evaluate(overflow)).toBe(0);
    },
  );

  test('a server that allows no lasting changes says why its buttons do nothing', async () => {
    const environment = { ROWGATE_CONSOLE: 'on', ROWGATE_CONSOLE_WRITES: 'off' };
    const other = await startTestServer({ database, environment });
    const readOnly = await openConsole(other.url, other.adminSecret);
    await readOnly.go('events');
    const { page } = readOnly;
    const pause = page.getByRole('button', { name: 'Pause kyc_profile_update' });
    await pause.focus();
    await page.keyboard.press('Enter');
    expect(await page.getByRole('alertdialog').count()).toBe(0);
    expect(await pause.getAttribute('aria-disabled')).toBe('true');
    expect(await page.locator('#read-only').innerText()).toContain('ROWGATE_CONSOLE_WRITES=true');
    expect(await pause.getAttribute('aria-describedby')).toBe('read-only');
    expect((await askAxe(page)).faults).toEqual([]);
    await readOnly.close();
    await other.stop();
  });

  test('the documentation has a picture of the screen', async () => {
    await opened.go('events?hours=24');
    await opened.page.locator('canvas').last().waitFor();
    await checkPictures(opened.page, 'events');
  });

  test('no value of a row is in the address or the storage, no request went elsewhere, and no script failed', async () => {
    const { page } = opened;
    const kept = await page.evaluate(
      'JSON.stringify([{ ...localStorage }, { ...sessionStorage }])',
    );
    for (const text of [String(kept), ...opened.requested]) {
      expect(decodeURIComponent(text)).not.toMatch(/a value of a row|ada@example|onerror/);
    }
    expect(opened.requested.filter((one) => !one.startsWith(server.url))).toEqual([]);
    // The refused acts of the tests above, which Chromium reports as errors.
    expect(opened.failures.filter((text) => !text.includes('409'))).toEqual([]);
  });
});
