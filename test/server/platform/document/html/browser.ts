import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import type { Brand } from '../../../../../server/platform/document/brand.ts';
import {
  htmlSecurityPolicy,
  renderHtml,
} from '../../../../../server/platform/document/html/render-html.ts';
import type { PrintedDocument } from '../../../../../server/platform/document/model.ts';
import { launchBrowser } from '../../../../support/chromium.ts';
import { brand as usualBrand } from './sample.ts';

/** A page that is open, and what came of it. */
export interface OpenPage {
  readonly page: Page;
  /** Paths that the server was asked for besides the page itself. */
  readonly requested: readonly string[];
  /** What the browser complained about, and errors of scripts. */
  readonly complaints: readonly string[];
}

export interface PageOptions extends BrowserContextOptions {
  readonly brand?: Brand;
  /** Changes the page on its way. */
  readonly tamper?: (html: string) => string;
}

/** A browser, and a server that gives it documents under the policy that goes with them. */
export class DocumentBrowser {
  readonly #browser: Browser;
  readonly #server: Server;
  /** By path. */
  readonly #pages = new Map<string, string>();
  readonly #requested: string[] = [];

  private constructor(browser: Browser) {
    this.#browser = browser;
    this.#server = createServer((request, response) => {
      const { url = '' } = request;
      if (!this.#pages.has(url)) this.#requested.push(url);
      response.setHeader('Content-Type', 'text/html; charset=utf-8');
      response.setHeader('Content-Security-Policy', htmlSecurityPolicy);
      response.end(this.#pages.get(url));
    });
  }

  static async start(): Promise<DocumentBrowser> {
    const browser = await launchBrowser();
    const started = new DocumentBrowser(browser);
    await new Promise<void>((resolve) => {
      started.#server.listen(0, '127.0.0.1', resolve);
    });
    return started;
  }

  async open(document: PrintedDocument, options: PageOptions = {}): Promise<OpenPage> {
    const { brand = usualBrand, tamper = (html) => html, ...context } = options;
    const path = `/document/${this.#pages.size}`;
    this.#pages.set(path, tamper(renderHtml(document, brand)));
    const complaints: string[] = [];
    const page = await this.#browser.newPage({
      viewport: { width: 1000, height: 800 },
      ...context,
    });
    page.on('console', (message) => complaints.push(message.text()));
    page.on('pageerror', (error) => complaints.push(error.message));
    const { port } = this.#server.address() as AddressInfo;
    await page.goto(`http://127.0.0.1:${port}${path}`);
    return { page, requested: this.#requested, complaints };
  }

  /** A page of nothing. */
  openPlain(): Promise<Page> {
    return this.#browser.newPage();
  }

  async stop(): Promise<void> {
    await this.#browser.close();
    await new Promise((resolve) => this.#server.close(resolve));
  }
}
