import { execFileSync } from 'node:child_process';
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { askAxe } from '../../support/axe.ts';
import { describeInBrowser } from '../../support/chromium.ts';
import { createDatabase, type TestDatabase } from '../../support/database.ts';
import { platformMetadata, startTestServer, type TestServer } from '../../support/http.ts';
import { query } from '../../support/query.ts';
import { type ConsolePage, openConsole } from './support/console-page.ts';
import { checkPictures } from './support/pictures.ts';

const file = 'tables/invoice.yaml';

describeInBrowser('changing rules in the console (needs /usr/bin/chromium)', () => {
  let database: TestDatabase;
  let metadata: string;
  let server: TestServer;
  let opened: ConsolePage;
  beforeAll(async () => {
    database = await createDatabase({ from: 'platform' });
    metadata = await mkdtemp(path.join(inject('scratch'), 'changed-'));
    await cp(platformMetadata, metadata, { recursive: true });
    // PostGraphile's dialect would build a schema of all tables.
    await rm(path.join(metadata, 'graphile.yaml'));
    server = await startTestServer({ database, metadata, environment: { ROWGATE_CONSOLE: 'on' } });
    opened = await openConsole(server.url, server.adminSecret);
    // The browser asks before it leaves a page with drafts.
    opened.page.on('dialog', (dialog) => void dialog.accept());
  });
  afterAll(async () => {
    await opened.close();
    await server.stop();
    await database.drop();
  });

  const onDisk = () => readFile(path.join(metadata, file), 'utf8');
  const effects = () => opened.page.getByRole('region', { name: 'What the draft changes' });
  const press = (name: string) => opened.page.getByRole('button', { name, exact: true }).click();
  /** Confirms the question of the open dialog. */
  const confirm = (name: string) =>
    opened.page.getByRole('alertdialog').getByRole('button', { name, exact: true }).click();

  /** Opens the file, and replaces a line by typing. */
  async function edit(line: string, typed: string): Promise<void> {
    const { page } = opened;
    await opened.go(`change?file=${file}`);
    await page.locator('.cm-line', { hasText: line }).first().click();
    await page.keyboard.press('Home');
    await page.keyboard.press('Shift+End');
    await page.keyboard.type(typed);
  }

  const own = 'filter: { _filter: own_organization }';
  const large = 'filter: { total: { _gt: 5 } }';

  describe('the rule', () => {
    const auditor = 'rule?role=organization_admin&table=public.invoice&operation=select';

    test('shows its YAML, tests and dependents, and leads to the editor', async () => {
      await opened.go(auditor);
      const { page } = opened;
      const yaml = page.getByRole('textbox', { name: `YAML of ${file}` });
      // The editor draws only the lines in view.
      await yaml.scrollIntoViewIfNeeded();
      await expect.poll(() => yaml.innerText()).toContain(own);
      expect(await yaml.getAttribute('aria-readonly')).toBe('true');
      const region = (name: string) => page.getByRole('region', { name });
      expect(await region('Tests that cover it').innerText()).toContain('tests/invoice.yaml:');
      const dependents = await region('Changes with this rule').innerText();
      expect(dependents).toContain('follows public.invoice_line.invoice to these rows');
      await page.getByRole('link', { name: `Change ${file}` }).click();
      await page.getByRole('heading', { name: 'Change the rules' }).waitFor();
      expect(new URL(page.url()).search).toMatch(/file=tables.*&line=31/);
    });

    test('compares the plan of its rows with the one without rules', async () => {
      await opened.go(auditor);
      await opened.page.getByLabel('X-Gql-Organization-Id').fill(crypto.randomUUID());
      await press('Compare the plans');
      const words = opened.page.getByText('Postgres estimates a cost of');
      expect(await words.innerText()).toMatch(/cost of \d+ for all rows, and of \d+ without rules/);
      expect(opened.page.url()).not.toContain('Organization');
    });
  });

  test('completes columns and operators, and shows who gains rows', async () => {
    const { page } = opened;
    const complete = async (start: string, chosen: string) => {
      await page.keyboard.type(start);
      await page.keyboard.press('Control+Space');
      await page.getByRole('option', { name: chosen }).first().click();
    };
    await edit(own, 'filter: { ');
    await complete('tot', 'total');
    await complete('{ _g', '_gt');
    await page.keyboard.type('5');
    await effects().getByText('1 dangerous; 1 role gains rows, 1 role loses rows').waitFor();
    expect(await effects().innerText()).toContain('condition now: total is above 5');
    await press('Count existing rows');
    await effects().getByText('Existing rows lost: at least 2 of 11').waitFor();
    expect(page.url()).not.toContain('total');
    expect(await onDisk()).toContain(own);
    await checkPictures(page, 'change');
  });

  test('mistakes stand at their lines, and name the right word', async () => {
    await edit(own, 'filter: { totl: { _gt: 5 } }');
    const list = effects().getByRole('listitem');
    expect(await list.innerText()).toMatch(/^Mistake: .*totl.*total/);
    await list.getByRole('button', { name: `${file}:32` }).click();
    await opened.page.locator('.cm-lintRange-error').waitFor();
    expect(new URL(opened.page.url()).search).toContain('line=32');
  });

  test('texts of a draft are shown as texts', async () => {
    await edit(own, "filter: { '<img src=x onerror=alert(1)>': { _eq: 1 } }");
    await effects().getByText('<img src=x onerror=alert(1)>').first().waitFor();
    expect(await opened.page.locator('img').count()).toBe(0);
  });

  test('the tests that concern the draft run after a confirmation', async () => {
    await edit(own, large);
    await effects().getByText('1 dangerous').waitFor();
    await press('Run the tests…');
    await confirm('Run the tests');
    await opened.page.getByText('12 of 13 expectations hold').waitFor();
    const failed = opened.page.getByRole('listitem').filter({ hasText: 'Fails:' });
    expect(await failed.innerText()).toMatch(/as organization_admin\)\s+does not see: /);
  });

  test('git applies the downloaded patch', async () => {
    await edit(own, large);
    const downloading = opened.page.waitForEvent('download');
    await press('Download a patch');
    const saved = await (await downloading).path();
    const copy = await mkdtemp(path.join(inject('scratch'), 'patched-'));
    await cp(metadata, copy, { recursive: true });
    execFileSync('git', ['apply', saved], { cwd: copy });
    const text = await onDisk();
    expect(await readFile(path.join(copy, file), 'utf8')).toBe(text.replace(own, large));
  });

  test('the draft is written after a confirmation, and its plan applied after another', async () => {
    const { page } = opened;
    const before = await onDisk();
    await edit(own, large);
    await press('Write the file…');
    expect(await page.getByRole('alertdialog').innerText()).toContain('until an apply');
    await confirm(`Write ${file}`);
    await expect.poll(onDisk).toBe(before.replace(own, large));
    await effects().getByText('Nothing yet').waitFor();
    await press('Plan an apply of the files');
    await page.getByText('would now also see rows of invoice').waitFor();
    await press('Apply…');
    expect(await page.getByRole('alertdialog').innerText()).toContain('role gains rows');
    await confirm('Apply exactly this plan');
    await page.getByText(/^Applied \d+ changes/).waitFor();
    const [last] = await query<{ actor: string; words: string[] }>(
      database.superuserUrl,
      'select actor, words from rowgate.apply_history order by id desc limit 1',
    );
    expect(last?.actor).toBe('Zoë Ω');
    expect(last?.words.join('\n')).toContain('organization_admin would now also see');
  });

  test('a file that was changed meanwhile is not overwritten, and the draft stays', async () => {
    const { page } = opened;
    await edit(large, own);
    const changed = `# changed elsewhere\n${await onDisk()}`;
    await writeFile(path.join(metadata, file), changed);
    await press('Write the file…');
    await confirm(`Write ${file}`);
    await page.getByRole('alertdialog').getByText('was changed since it was opened').waitFor();
    await confirm('Cancel');
    expect(await onDisk()).toBe(changed);
    expect(await page.getByRole('textbox', { name: 'YAML' }).innerText()).toContain(own);
    await press('Discard the draft…');
    await confirm('Discard the draft');
    await effects().getByText('Nothing yet').waitFor();
  });

  test.each([
    ['light', 1280, `change?file=${file}`],
    ['dark', 1280, `change?file=${file}`],
    ['light', 390, `change?file=${file}`],
    ['light', 1280, 'rule?role=auditor&table=public.invoice&operation=select'],
    ['dark', 390, 'rule?role=auditor&table=public.invoice&operation=select'],
  ] as const)(
    'in %s and %s pixels wide, axe finds no fault at %s',
    async (colorScheme, width, address) => {
      const { page } = opened;
      await page.emulateMedia({ colorScheme });
      await page.setViewportSize({ width, height: 800 });
      await opened.go(address);
      await page.getByRole('textbox', { name: 'YAML of' }).waitFor();
      const { faults } = await askAxe(page);
      expect(faults).toEqual([]);
      const overflow =
        'document.documentElement.scrollWidth - document.documentElement.clientWidth';
      expect(await page.evaluate(overflow)).toBe(0);
    },
  );

  test('drafts are kept nowhere, other hosts are not asked, and no script has failed', async () => {
    const { page } = opened;
    const kept = 'JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie])';
    expect(await page.evaluate(kept)).toBe('[{},{},""]');
    expect(opened.requested.filter((one) => !one.startsWith(server.url))).toEqual([]);
    // The refused write of the test above, and the question before leaving drafts, which has no words of its own.
    const unexpected = opened.failures.filter((text) => text !== '' && !text.includes('409'));
    expect(unexpected).toEqual([]);
  });
});
