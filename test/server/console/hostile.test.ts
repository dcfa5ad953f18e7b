import { afterAll, beforeAll, expect, test } from 'vitest';
import { removeMetadata } from '../../permissions/support/metadata-files.ts';
import { describeInBrowser } from '../../support/chromium.ts';
import { type AdminServer, adminSecret, startAdminServer } from '../admin/support/admin-server.ts';
import { type ConsolePage, openConsole } from './support/console-page.ts';

const markup = '<img src=x onerror=alert(1)>';

const project = {
  schema: `
create table "${markup}" (id int primary key, "<b>x</b>" text, "</script><script>alert(2)" int);
insert into "${markup}" values (1, '<script>alert(4)</script>', 2);
create table item (id int primary key, name text not null, price numeric not null, state text);`,
  rules: {
    'roles.yaml': 'roles: { clerk: {}, buyer: {}, both: { inherits: [clerk, buyer] } }\n',
    'tables/odd.yaml': `table: "${markup}"
permissions:
  clerk: { select: { filter: { "<b>x</b>": { _eq: "</style><script>alert(3)</script>" } }, columns: '*' } }
`,
    'tables/item.yaml': `table: item
permissions:
  clerk:
    select: { filter: {}, columns: [id, price] }
    insert: { check: {}, columns: [id, name, price], set: { state: open } }
  buyer: { select: { filter: { state: { _eq: open } }, columns: [id, name] } }
`,
  },
};

describeInBrowser('the console on a project with hostile names (needs /usr/bin/chromium)', () => {
  let server: AdminServer;
  let opened: ConsolePage;
  beforeAll(async () => {
    server = await startAdminServer({ ROWGATE_CONSOLE: 'on' }, project);
    opened = await openConsole(server.url, adminSecret);
  });
  afterAll(async () => {
    await opened.close();
    await server.stop();
    await removeMetadata();
  });

  test.each([
    `matrix?${new URLSearchParams({ on: `public.${markup}`, as: 'clerk' })}`,
    `matrix?${new URLSearchParams({ column: `public.${markup}.<b>x</b>` })}`,
    'matrix?compare=clerk&with=buyer',
    `rule?${new URLSearchParams({ role: 'clerk', table: `public.${markup}` })}`,
    `rule?${new URLSearchParams({ role: markup, table: markup, operation: markup })}`,
    `as?${new URLSearchParams({ role: 'clerk', table: `public.${markup}`, rows: 'all' })}`,
    `as?${new URLSearchParams({ role: markup })}`,
    `as?${new URLSearchParams({ role: 'clerk', table: markup })}`,
    encodeURIComponent(markup),
  ])('shows names as text at /console/%s', async (path) => {
    await opened.go(path);
    const { page } = opened;
    await expect.poll(() => page.locator('main').innerText()).toContain('<img src=x');
    expect(await page.locator('main img, main script, main b').count()).toBe(0);
    expect(opened.failures).toEqual([]);
  });

  test('shows values and conditions of a row as text', async () => {
    await opened.go(`as?${new URLSearchParams({ table: `public.${markup}`, rows: 'all' })}`);
    const { page } = opened;
    await page.getByLabel('Role').selectOption('clerk');
    await page.getByRole('button', { name: 'Show rows that the role does not see' }).click();
    await page.getByRole('button', { name: 'Open the row id = 1' }).click();
    await page.getByRole('button', { name: 'Why not this row?' }).click();
    const outcome = page.getByRole('region', { name: 'Outcome' });
    await outcome.getByText('</style><script>alert(3)</script>').first().waitFor();
    await outcome.getByText('Keep as a test').click();
    expect(await outcome.locator('pre').innerText()).toContain(JSON.stringify(markup));
    await outcome.getByText('[<b>x</b> = <script>alert(4)</script>]').waitFor();
    expect(await page.locator('main img, main script, main b').count()).toBe(0);
    expect(opened.failures).toEqual([]);
  });

  test('marks an inherited rule and its columns with their origin', async () => {
    await opened.go('matrix?on=public.item&as=both');
    const { page } = opened;
    const cell = page.getByRole('row', { name: 'item' }).getByRole('gridcell').nth(2);
    expect(await cell.innerText()).toContain('from clerk, buyer');
    const details = page.getByRole('region', { name: 'both on public.item' });
    const columns = await details.locator('.columns').first().getByRole('listitem').allInnerTexts();
    expect(columns).toContain('id');
    expect(columns).toContainEqual(expect.stringMatching(/^price.*from clerk/));
    expect(await details.getByText("sets state = 'open'").count()).toBe(1);
  });

  test('cannot be framed by another page', async () => {
    const { page } = opened;
    const frame = await page.context().newPage();
    await frame.setContent(`<iframe src="${server.url}/console"></iframe>`);
    await expect.poll(() => frame.frames().at(-1)?.url()).toContain('chrome-error://');
    await frame.close();
  });

  test('a form of another site changes nothing with the session', async () => {
    const before = (await server.uses()).length;
    const page = await opened.page.context().newPage();
    const action = `${server.url}/console/sign-out`;
    await page.setContent(
      `<form method="post" enctype="text/plain" action="${action}"><input name='{"a":"' value='"}'><button>`,
    );
    await page.getByRole('button').click();
    await page.waitForURL(action);
    expect(await page.content()).toContain('unauthenticated');
    await page.close();
    expect((await server.uses()).length).toBe(before);
    await opened.go('matrix');
  });
});
