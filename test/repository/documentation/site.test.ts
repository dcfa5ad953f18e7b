import { execFile } from 'node:child_process';
import { globSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { promisify } from 'node:util';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { askAxe } from '../../support/axe.ts';
import { describeInBrowser, sharedBrowser } from '../../support/chromium.ts';
import { makeDataFolder, removeFolders } from '../../support/data-folder.ts';
import { root } from '../../support/documentation.ts';

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
};

/** The part of an address that links may omit. */
const extension = /(index)?\.html(?=#|$)/;

/** The address of each page below docs, with the extension .html. */
const addresses = globSync('**/*.md', { cwd: path.join(root, 'docs') })
  .map((file) => file.replace(/\.md$/, '.html'))
  .toSorted();

/** Pages that together have every element of the site: tables, code in each language, pictures and lists of links. */
const typical = [
  ...addresses.filter((address) => address.endsWith('index.html')),
  ...['tutorials/own-database', 'clients/writes', 'deployment/docker', 'reference/settings'].map(
    (page) => `${page}.html`,
  ),
];

// Pages share colours and layout, so a few typical pages represent all pages in dark mode and on a phone.
const views: readonly View[] = [
  { name: 'light', options: { colorScheme: 'light' }, pages: addresses },
  { name: 'dark', options: { colorScheme: 'dark' }, pages: typical },
  { name: 'phone', options: { viewport: { width: 375, height: 720 } }, pages: typical },
];

interface View {
  readonly name: string;
  readonly options: BrowserContextOptions;
  readonly pages: readonly string[];
}

/** Questions of new users in their own words, each with the page that the search must find. */
const questions = [
  { question: 'how do my users sign in', page: 'clients/authentication' },
  { question: 'how do I restore a backup', page: 'deployment/backup-and-restore' },
  { question: 'what happens above 10,000 rows', page: 'deployment/limits' },
  { question: 'how do I accept a warning', page: 'operators/findings' },
  { question: 'how do I run it in CI', page: 'operators/continuous-integration' },
  { question: 'how do I upgrade', page: 'deployment/upgrade-and-rollback' },
  { question: 'what does a role cost', page: 'operators/roles' },
  { question: 'what is logged', page: 'deployment/logging-and-metrics' },
  { question: 'how do I hide a column', page: 'operators/rules' },
  { question: 'how do I import from Hasura', page: 'operators/from-hasura' },
  { question: 'call a webhook when a row changes', page: 'operators/events' },
  { question: 'give somebody psql', page: 'operators/direct-logins' },
  { question: 'how do I remove rowgate', page: 'deployment/uninstall' },
  { question: 'RG_DEFINER_TRIGGER', page: 'operators/lint' },
];

describeInBrowser(
  'the built site of the documentation, in a browser (needs /usr/bin/chromium)',
  () => {
    let server: Server;
    let origin: string;
    let browser: Browser;
    /** The reader who asks all questions of the search. */
    let reader: Awaited<ReturnType<typeof open>>;

    beforeAll(async () => {
      const site = path.join(await makeDataFolder(), 'site');
      const build = [path.join(root, 'node_modules/vitepress/bin/vitepress.js'), 'build', 'docs'];
      await promisify(execFile)(process.execPath, [...build, '--outDir', site], { cwd: root });
      server = createServer(async ({ url = '/' }, response) => {
        const { pathname } = new URL(url, 'http://site');
        const file = path.join(site, pathname.endsWith('/') ? `${pathname}index.html` : pathname);
        response.setHeader('Content-Type', types[path.extname(file)] ?? 'text/plain');
        response.end(await readFile(file).catch(() => readFile(path.join(site, '404.html'))));
      });
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
      origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
      browser = await sharedBrowser();
      reader = await open();
      await reader.page.goto(`${origin}/`);
    });
    afterAll(async () => {
      await reader.close();
      server.close();
      await removeFolders();
    });

    /** Opens a page. Its `faults` collect requests to other servers and errors of scripts. */
    async function open(options: BrowserContextOptions = {}) {
      const context = await browser.newContext(options);
      const page = await context.newPage();
      const faults: string[] = [];
      page.on('request', (request) => {
        if (!request.url().startsWith(origin)) faults.push(`request to ${request.url()}`);
      });
      page.on('pageerror', (error) => faults.push(`script: ${error.message}`));
      return { page, faults, close: () => context.close() };
    }

    test.each(views)(
      'pages have no accessibility fault, send no request to other servers and fit the window ($name)',
      async ({ options, pages }) => {
        const { page, faults, close } = await open(options);
        await page.goto(`${origin}/`);
        for (const address of pages) {
          await follow(page, address);
          const { faults: found, obeyed } = await askAxe(page);
          faults.push(...found.map((fault) => `${address}: ${fault}`));
          expect(obeyed).toContain('color-contrast');
          if (await isWiderThanWindow(page)) faults.push(`${address}: wider than the window`);
        }
        await close();
        expect(faults).toEqual([]);
      },
      600_000,
    );

    test('every link of a page leads to a page and an anchor of the built site', async () => {
      const { page, close } = await open();
      await page.goto(`${origin}/`);
      const links = new Set<string>();
      const anchors = new Set<string>();
      for (const address of addresses) {
        const shown = await page.evaluate<{ links: string[]; ids: string[] }>(linksOf(address));
        const url = `${origin}/${address}`.replace(extension, '');
        anchors.add(url);
        for (const id of shown.ids) anchors.add(`${url}#${id}`);
        for (const link of shown.links) links.add(new URL(link, `${origin}/${address}`).href);
      }
      await close();
      const own = [...links].filter((link) => link.startsWith(origin));
      const named = new Set(own.map((link) => decodeURI(link).replace(extension, '')));
      expect(named.size).toBeGreaterThan(addresses.length);
      expect([...named].filter((link) => !anchors.has(link))).toEqual([]);
    });

    test.each(questions)(
      'the search finds for "$question" the page $page among the first three',
      async ({ question, page: answer }) => {
        const { page, faults } = reader;
        // A question that failed before leaves the search open.
        await page.keyboard.press('Escape');
        await page.getByRole('button', { name: /Search/ }).click();
        await page.getByRole('searchbox').fill(question);
        const found = page.locator(`.VPLocalSearchBox a.result[href*="/${answer}.html"]`);
        // Results of the question before can still be shown.
        const firstThree = async () => {
          const addresses = await page.evaluate<string[]>(
            `[...document.querySelectorAll('.VPLocalSearchBox a.result')].map((link) => link.pathname)`,
          );
          return addresses.slice(0, 3);
        };
        await expect.poll(firstThree).toContain(`/${answer}.html`);
        await found.first().click();
        await page.waitForURL(`**/${answer}.html*`);
        expect(faults).toEqual([]);
      },
    );

    test('the open search has no accessibility fault', async () => {
      const { page, close } = await open();
      await page.goto(`${origin}/`);
      await page.getByRole('button', { name: /Search/ }).click();
      await page.getByRole('searchbox').fill('role');
      await page.locator('.VPLocalSearchBox a.result').first().waitFor();
      expect((await askAxe(page)).faults).toEqual([]);
      await close();
    });
  },
);

/** Opens a page by a link of the sidebar or of the title, as readers do. A new load would take three times as long. */
async function follow(page: Page, address: string): Promise<void> {
  const target = `/${address}`.replace(/index\.html$/, '');
  await page.evaluate(`document.querySelector('a[href="${target}"]').click()`);
  const className = target.replace(extension, '').replaceAll('/', '_');
  await page.locator(`.vp-doc.${className} h1`).waitFor();
}

/** Returns a script that reads the links and anchors of a page of the site as the server sends it. */
function linksOf(address: string): string {
  return `fetch('/${address}').then((response) => response.text()).then((text) => {
    const page = new DOMParser().parseFromString(text, 'text/html');
    return {
      links: [...page.querySelectorAll('main a')].map((link) => link.getAttribute('href')),
      ids: [...page.querySelectorAll('main [id]')].map(({ id }) => id),
    };
  })`;
}

function isWiderThanWindow(page: Page): Promise<boolean> {
  return page.evaluate('document.documentElement.scrollWidth > window.innerWidth');
}
