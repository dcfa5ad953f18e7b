import { type BrowserContext, chromium, type Page } from 'playwright-core';

/** The path in Debian. */
const executablePath = '/usr/bin/chromium';

/** One opening of a screen. */
export interface Visit {
  /** Milliseconds from the navigation until the screen shows its content. */
  readonly milliseconds: number;
  /** Bytes of scripts and styles, as the server has compressed them. */
  readonly codeBytes: number;
  /** Bytes of all other answers. */
  readonly otherBytes: number;
}

/** A page of a browser that is signed in to the console. */
export interface Visitor {
  /** The names of the screens in the order of the navigation. */
  readonly screens: readonly string[];
  /** Opens a screen with an empty cache, and keeps it open. */
  visit(screen: string): Promise<Visit>;
  /** Leaves the console. */
  leave(): Promise<void>;
  close(): Promise<void>;
}

/** Signs in to the console of a server. */
export async function signIn(url: string, secret: string): Promise<Visitor> {
  const browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] });
  const context = await browser.newContext();
  const page = await context.newPage();
  await page.goto(`${url}/console`);
  await page.getByLabel('Your name').fill('benchmark');
  await page.getByLabel('Admin secret').fill(secret);
  await page.keyboard.press('Enter');
  await page.getByRole('grid').waitFor();
  const links = page.getByRole('navigation', { name: 'Screens' }).getByRole('link');
  const addresses = await links.evaluateAll((found) => found.map((link) => `${link}`));
  const screens = addresses.map((address) => new URL(address).pathname.split('/').at(-1) ?? '');
  return {
    screens,
    visit: (screen) => visit(page, context, `${url}/console/${screen}`),
    leave: async () => void (await page.goto('about:blank')),
    close: () => browser.close(),
  };
}

async function visit(page: Page, context: BrowserContext, address: string): Promise<Visit> {
  await page.goto('about:blank');
  const network = await context.newCDPSession(page);
  await network.send('Network.enable');
  await network.send('Network.setCacheDisabled', { cacheDisabled: true });
  const paths = new Map<string, string>();
  let [codeBytes, otherBytes] = [0, 0];
  network.on('Network.responseReceived', ({ requestId, response }) =>
    paths.set(requestId, new URL(response.url).pathname),
  );
  network.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
    if (paths.get(requestId)?.includes('/assets/')) codeBytes += encodedDataLength;
    else otherBytes += encodedDataLength;
  });
  await page.goto(address, { waitUntil: 'commit' });
  await page.locator('main h1').waitFor();
  await page.locator('.waiting').first().waitFor({ state: 'detached' });
  // The clock of a page begins at its navigation.
  const milliseconds = Number(await page.evaluate('performance.now()'));
  await page.waitForLoadState('networkidle');
  await network.detach();
  return { milliseconds, codeBytes, otherBytes };
}
