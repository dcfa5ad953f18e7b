import { promisify } from 'node:util';
import { gunzip, gzip } from 'node:zlib';
import type pg from 'pg';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { askAxe } from '../../support/axe.ts';
import { describeInBrowser } from '../../support/chromium.ts';
import { createDatabase, type TestDatabase } from '../../support/database.ts';
import { startTestServer, type TestServer } from '../../support/http.ts';
import { type ConsolePage, openConsole } from './support/console-page.ts';
import { checkPictures } from './support/pictures.ts';

const markup = '<img src=x onerror=alert(1)>';

describeInBrowser('the screen Health on the demo data (needs /usr/bin/chromium)', () => {
  let database: TestDatabase;
  let owner: pg.Client;
  let server: TestServer;
  let opened: ConsolePage;
  beforeAll(async () => {
    database = await createDatabase({ from: 'applied' });
    owner = await database.connectOwner();
    await recordApplies(owner);
    server = await startTestServer({
      database,
      plugins: true,
      environment: { ROWGATE_CONSOLE: 'on' },
    });
    await sendTraffic(server);
    opened = await openConsole(server.url, server.adminSecret);
  });
  afterAll(async () => {
    await opened.close();
    await server.stop();
    await owner.end();
    await database.drop();
  });

  const rowOf = (name: string) => opened.page.getByRole('row', { name });

  test('shows operations by role and name, errors by code, and latencies', async () => {
    await opened.go('health');
    const { page } = opened;
    await rowOf('auditor query recentInvoices').waitFor();
    const cells = await rowOf('auditor query recentInvoices').getByRole('cell').allInnerTexts();
    expect(cells.slice(0, 3)).toEqual(['query recentInvoices', '30', '0']);
    expect(await rowOf('validation-failed').innerText()).toContain('trader');
    const latencies = page.getByRole('region', { name: 'Latency by role' });
    expect(await latencies.getByRole('row', { name: 'auditor query' }).innerText()).toMatch(
      / m?s$/,
    );
    await page.getByRole('combobox', { name: /^Role/ }).selectOption('trader');
    expect(await rowOf('auditor query recentInvoices').count()).toBe(0);
    expect(new URL(page.url()).search).toBe('?role=trader');
  });

  test('draws the last quarter of an hour, and has the same figures as a table', async () => {
    await opened.go('health');
    const { page } = opened;
    await expect.poll(() => page.locator('.chart canvas').count()).toBe(2);
    const chart = page.getByRole('figure', { name: 'Operations per second' });
    expect(await chart.getByRole('listitem').allInnerTexts()).toEqual([
      expect.stringMatching(/^all: now [\d.]+, at most [1-9]/),
      expect.stringMatching(/^with an error: now /),
    ]);
    await chart.getByText('The values as a table').click();
    const counts = await chart.getByRole('row').locator('td:nth-child(2)').allInnerTexts();
    expect(counts.map(Number).filter((count) => count > 0).length).toBeGreaterThan(10);
  });

  test('asks again every five seconds, and shows what happened since', async () => {
    await opened.go('health');
    await rowOf('auditor query lateInvoices').waitFor({ state: 'detached' });
    await server.graphql('query lateInvoices { invoice { id } }', { 'X-Gql-Role': 'auditor' });
    await rowOf('auditor query lateInvoices').waitFor();
  });

  test('compares the database on request, which is recorded, and lists the first differences', async () => {
    await opened.go('health');
    const { page } = opened;
    const drift = page.getByRole('region', { name: 'Drift' });
    expect(await drift.innerText()).toContain('ROWGATE_DRIFT_INTERVAL');
    await drift.getByRole('button', { name: 'Compare now' }).focus();
    await page.keyboard.press('Enter');
    // The database is a copy of the one to which the rules were applied, so the grants of the shared roles are missing.
    await drift.getByText(/^[\d,]+ further differences: rowgate drift lists all/).waitFor();
    expect(await drift.getByRole('listitem').count()).toBe(100);
    const { rows } = await owner.query(
      'select actor, status from rowgate.admin_use where endpoint = $1',
      ['/admin/drift'],
    );
    expect(rows).toEqual([{ actor: 'Zoë Ω', status: 200 }]);
  });

  describe('the applies', () => {
    test('are listed in pages with their words, and their address leads to the same page', async () => {
      await opened.go('health');
      const { page } = opened;
      const heads = () => page.getByRole('heading', { name: /^Apply \d+/ }).allInnerTexts();
      await expect.poll(async () => (await heads()).length).toBe(20);
      expect(await page.locator('.applies').innerText()).toContain(markup);
      expect(await page.locator('main img').count()).toBe(0);
      await page.getByRole('link', { name: 'Older applies' }).click();
      await expect.poll(async () => (await heads()).length).toBe(4);
      const older = await heads();
      await page.reload();
      await expect.poll(heads).toEqual(older);
    });

    test('are compared by choosing two, in words and by weight', async () => {
      await opened.go('health');
      const { page } = opened;
      await page.getByLabel('What changed from apply').fill('1');
      await page.getByRole('button', { name: 'Compare', exact: true }).click();
      const changes = page.getByRole('region', { name: /^Changes from apply/ });
      await changes.waitFor();
      expect(await changes.innerText()).toMatch(/Dangerous.*\n.*organization_admin would now see/);
      await page.reload();
      await changes.waitFor();
    });

    test('whose files are not kept are refused with the reason', async () => {
      await opened.go('health?old=1&new=9999');
      const alert = opened.page.getByRole('alert');
      await alert.waitFor();
      expect(await alert.innerText()).toContain('no metadata are recorded of an apply 9999');
    });
  });

  test.each([
    ['light', 1280],
    ['dark', 1280],
    ['light', 390],
    ['dark', 390],
  ] as const)('in %s and %s pixels wide, axe finds no fault', async (colorScheme, width) => {
    const { page } = opened;
    await page.emulateMedia({ colorScheme });
    await page.setViewportSize({ width, height: 800 });
    await opened.go('health');
    await page
      .getByRole('heading', { name: /^Apply \d+/ })
      .first()
      .waitFor();
    await rowOf('auditor query recentInvoices').waitFor();
    const { faults, obeyed } = await askAxe(page);
    expect(faults).toEqual([]);
    expect(obeyed).toContain('color-contrast');
    const overflow = 'document.documentElement.scrollWidth - document.documentElement.clientWidth';
    expect(await page.evaluate(overflow)).toBe(0);
  });

  test('the documentation has its picture', async () => {
    await opened.go('health');
    await rowOf('auditor query recentInvoices').waitFor();
    await checkPictures(opened.page, 'health');
  });

  test('no page has asked another host, and no script has failed', () => {
    expect(opened.requested.filter((one) => !one.startsWith(server.url))).toEqual([]);
    const unexpected = opened.failures.filter((text) => !text.includes('400'));
    expect(unexpected).toEqual([]);
  });
});

/** Sends operations as if they had come within the last quarter of an hour. */
async function sendTraffic(server: TestServer): Promise<void> {
  const now = Date.now();
  for (let second = 840; second > 0; second -= 28) {
    vi.useFakeTimers({ toFake: ['Date'], now: now - second * 1000 });
    await server.graphql('query recentInvoices { invoice(limit: 5) { id total } }', {
      'X-Gql-Role': 'auditor',
    });
    for (let more = 0; more < 3 + 3 * Math.sin(second / 90); more += 1) {
      await server.graphql('query prices { coin_price(limit: 100) { coin price } }', {
        'X-Gql-Role': 'trader',
      });
    }
  }
  vi.useRealTimers();
  await server.graphql('{ invoice { internal_notes } }', { 'X-Gql-Role': 'trader' });
}

/** Records applies: 22 with hostile words, and one whose rules differ from those of the first one. */
async function recordApplies(owner: pg.Client): Promise<void> {
  await owner.query(
    `insert into rowgate.apply_history (program_version, actor, words)
     select '1', 'Ada', array[$1] from generate_series(1, 22)`,
    [markup],
  );
  const { rows } = await owner.query(
    'select id, source from rowgate.apply_history where source is not null order by id limit 1',
  );
  const { files, catalog } = JSON.parse((await promisify(gunzip)(rows[0].source)).toString());
  const invoice = 'tables/invoice.yaml';
  const wider = files[invoice].replace(
    /( {2}organization_admin:\n {4}select:\n {6}filter: ).*/,
    '$1{}',
  );
  const source = await promisify(gzip)(
    JSON.stringify({ files: { ...files, [invoice]: wider }, catalog }),
  );
  await owner.query(
    `insert into rowgate.apply_history (program_version, actor, revision, words, plan, source)
     values ('1', 'Grace', $1, $2, $3, $4)`,
    [
      'f'.repeat(40),
      [
        'dangerous: existing access widens, or may widen:',
        '  organization_admin would now see every row of invoice',
      ],
      ['replace policy rowgate/organization_admin/select on public.invoice'],
      source,
    ],
  );
}
