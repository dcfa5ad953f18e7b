import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { describeInBrowser, sharedBrowser } from '../../support/chromium.ts';
import { memberOf, startTenants } from './subscriptions/support/tenants.ts';
import { type Gateway, secret } from './support/gateway.ts';

/** Timeout for loading the explorer's page, which is large and may load slowly beside other tests. */
const patience = { timeout: 15_000 };

const queryEditor = '.graphiql-query-editor .monaco-editor';

let gateway: Gateway;
beforeAll(async () => {
  gateway = await startTenants({ config: { explorer: true } });
});
afterAll(() => gateway.stop());

describe('the explorer (a web page for trying queries)', () => {
  test('sends a Content-Security-Policy that forbids its page to load anything from other sites', async () => {
    const response = await fetch(`${gateway.url}/`);
    expect(response.headers.get('content-type')).toContain('text/html');
    expect(response.headers.get('content-security-policy')).toContain("default-src 'self'");
    const page = await response.text();
    expect(page).toContain('/ruru-static/');
    expect(page).not.toMatch(/(src|href)="?(https?:)?\/\//);
  });

  test('serves a page that does not contain the admin secret', async () => {
    expect(await (await fetch(`${gateway.url}/`)).text()).not.toContain(secret);
  });

  test('serves the scripts and styles of its page', async () => {
    const page = await (await fetch(`${gateway.url}/`)).text();
    const asset = /\/ruru-static\/[^"')\s]+\.js/.exec(page)?.[0];
    const response = await fetch(`${gateway.url}${asset}`);
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toContain('javascript');
  });
});

test('the explorer is answered with 404 if it is not enabled in the configuration', async () => {
  const plain = await gateway.beside({ explorer: false });
  expect((await fetch(`${plain.url}/`)).status).toBe(404);
});

describeInBrowser('the explorer in a browser (needs /usr/bin/chromium)', () => {
  let page: Page;
  const requested: string[] = [];
  const failures: string[] = [];

  beforeAll(async () => {
    page = await (await sharedBrowser()).newPage();
    page.on('request', (request) => requested.push(request.url()));
    page.on('pageerror', (error) => failures.push(error.message));
    page.on('console', (message) => {
      failures.push(...(message.type() === 'error' ? [message.text()] : []));
    });
    await page.goto(gateway.url);
    await page.locator('.graphiql-query-editor').waitFor();
  });
  afterAll(() => page.close());

  test("the explorer's page suggests headers for the role and the admin secret", async () => {
    await page.getByRole('button', { name: 'Headers', exact: true }).click();
    const panel = page.locator('.graphiql-editor-tool');
    await expect.poll(() => panel.innerText(), patience).toContain('X-Gql-Admin-Secret');
    expect(await panel.innerText()).toContain('X-Gql-Role');
  });

  test("the explorer's page runs a query with the role and session variables from its headers field", async () => {
    await type(
      '.graphiql-editor-tool section:not(.hidden) .monaco-editor, .graphiql-editor-tool .monaco-editor:visible',
      JSON.stringify(memberOf(1)),
    );
    await type(queryEditor, '{ item { name } }');
    await page.locator('.graphiql-execute-button').click();
    await expect.poll(shown, patience).toContain('one');
    expect(await shown()).not.toContain('two');
  });

  test("the explorer's page shows each answer of a subscription until it is stopped", async () => {
    await type(queryEditor, 'subscription counted { item_aggregate { aggregate { count } } }');
    // The page parses the text shortly after the last change of it, and then shows the name of the operation.
    await page.getByRole('tab', { name: 'counted' }).waitFor();
    await page.locator('.graphiql-execute-button').click();
    await expect.poll(shown, patience).toMatch(/"count":\s1/);
    const owner = await gateway.database.connectOwner();
    await owner.query(`insert into item values (3, 1, 'three')`);
    await expect.poll(shown, patience).toMatch(/"count":\s2/);
    await owner.end();
    await page.getByRole('button', { name: 'Stop query' }).click();
    await page.getByRole('button', { name: 'Execute query' }).waitFor();
  });

  test("the explorer's page has sent no request to other sites", () => {
    expect(requested.length).toBeGreaterThan(3);
    const elsewhere = requested.filter(
      (url) => !/^(data|blob):/.test(url) && !url.startsWith(gateway.url),
    );
    expect(elsewhere).toEqual([]);
    expect(failures).toEqual([]);
  });

  function shown(): Promise<string> {
    return page.locator('.result-window').innerText();
  }

  async function type(editor: string, text: string): Promise<void> {
    await page.locator(editor).first().click();
    await page.keyboard.press('ControlOrMeta+a');
    await page.keyboard.press('Delete');
    await page.keyboard.insertText(text);
  }
});
