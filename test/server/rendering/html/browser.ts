import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Browser, Page, ViewportSize } from 'playwright-core';
import type { Brand } from '../../../../server/rendering/brand.ts';
import { htmlSecurityPolicy, renderHtml } from '../../../../server/rendering/html/render-html.ts';
import type { PrintedDocument } from '../../../../server/rendering/model.ts';
import { sharedBrowser } from '../../../support/chromium.ts';
import { brand as usualBrand } from './sample.ts';

/** A page that is open in the browser, with its requests and errors. */
export interface OpenPage {
  readonly page: Page;
  /** The paths that the page has requested, without the page itself. */
  readonly requested: readonly string[];
  /** Errors from the browser's console and from scripts of the page. */
  readonly complaints: readonly string[];
}

export interface PageOptions {
  readonly brand?: Brand;
  readonly viewport?: ViewportSize;
  readonly colorScheme?: 'dark' | 'light';
  /** Device pixels for each CSS pixel. */
  readonly deviceScaleFactor?: number;
  /** Changes the HTML before the browser receives it, e.g. to inject markup. */
  readonly tamper?: (html: string) => string;
}

const desk = { width: 1000, height: 800 };

/**
 * Shows one document after the other. A server sends them with the Content-Security-Policy of the
 * product.
 */
export class DocumentBrowser {
  readonly #browser: Browser;
  readonly #server: Server;
  /** The HTML of the documents by path. */
  readonly #documents = new Map<string, string>();
  #requested: string[] = [];
  #complaints: string[] = [];
  /**
   * Open pages by device scale factor, which cannot be changed later. They are used again, because
   * opening a page is slow.
   */
  readonly #pages = new Map<number, Page>();

  private constructor(browser: Browser) {
    this.#browser = browser;
    this.#server = createServer((request, response) => {
      const { url = '' } = request;
      if (!this.#documents.has(url)) this.#requested.push(url);
      response.setHeader('Content-Type', 'text/html; charset=utf-8');
      response.setHeader('Content-Security-Policy', htmlSecurityPolicy);
      response.end(this.#documents.get(url));
    });
  }

  static async start(): Promise<DocumentBrowser> {
    const started = new DocumentBrowser(await sharedBrowser());
    await new Promise<void>((resolve) => {
      started.#server.listen(0, '127.0.0.1', resolve);
    });
    return started;
  }

  /** Shows a document instead of the previous one, and returns the page. */
  async open(document: PrintedDocument, options: PageOptions = {}): Promise<OpenPage> {
    const { brand = usualBrand, tamper = (html) => html, deviceScaleFactor = 1 } = options;
    const path = `/document/${this.#documents.size}`;
    this.#documents.set(path, tamper(renderHtml(document, brand)));
    const page = await this.#pageOf(deviceScaleFactor);
    await page.setViewportSize(options.viewport ?? desk);
    await page.emulateMedia({ colorScheme: options.colorScheme ?? 'light' });
    this.#requested = [];
    this.#complaints = [];
    const { port } = this.#server.address() as AddressInfo;
    await page.goto(`http://127.0.0.1:${port}${path}`);
    return { page, requested: this.#requested, complaints: this.#complaints };
  }

  async #pageOf(deviceScaleFactor: number): Promise<Page> {
    const known = this.#pages.get(deviceScaleFactor);
    if (known) return known;
    const page = await this.#browser.newPage({ viewport: desk, deviceScaleFactor });
    page.on('console', (message) => this.#complaints.push(message.text()));
    page.on('pageerror', (error) => this.#complaints.push(error.message));
    this.#pages.set(deviceScaleFactor, page);
    return page;
  }

  async stop(): Promise<void> {
    for (const page of this.#pages.values()) await page.close();
    await new Promise((resolve) => this.#server.close(resolve));
  }
}
