import type { BrowserContextOptions, Page } from 'playwright-core';
import { sharedBrowser } from '../../../support/chromium.ts';

/** A page of the console in a browser, and what the browser reported about it. */
export interface ConsolePage {
  readonly page: Page;
  /** The addresses of all requests so far. */
  readonly requested: readonly string[];
  /** Errors of scripts and violations of the Content-Security-Policy. */
  readonly failures: readonly string[];
  /** Goes to a path below `/console/` and waits until its screen has loaded. */
  go(path: string): Promise<void>;
  close(): Promise<void>;
}

/** Opens the console in a new browser context and signs in with the keyboard. */
export async function openConsole(
  url: string,
  secret: string,
  options: BrowserContextOptions = {},
): Promise<ConsolePage> {
  const context = await (await sharedBrowser()).newContext(options);
  const page = await context.newPage();
  const requested: string[] = [];
  const failures: string[] = [];
  page.on('request', (request) => requested.push(request.url()));
  page.on('pageerror', (error) => failures.push(error.message));
  page.on('console', (message) => {
    // The first question for the session is answered 401, which Chromium reports as an error.
    if (message.type() === 'error' && !message.location().url.endsWith('/console/session')) {
      failures.push(`${message.text()} ${message.location().url}`);
    }
  });
  page.on('dialog', (dialog) => failures.push(dialog.message()));
  await page.goto(`${url}/console`);
  await page.getByLabel('Your name').focus();
  await page.keyboard.type('Zoë Ω');
  await page.keyboard.press('Tab');
  await page.keyboard.type(secret);
  await page.keyboard.press('Enter');
  await page.getByRole('grid').waitFor();
  return {
    ...{ page, requested, failures },
    go: async (path) => {
      await page.goto(`${url}/console/${path}`);
      await page.getByRole('button', { name: 'Sign out' }).waitFor();
    },
    close: () => context.close(),
  };
}
