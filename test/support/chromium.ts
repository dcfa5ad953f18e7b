import { existsSync } from 'node:fs';
import { type Browser, chromium } from 'playwright-core';
import { describe } from 'vitest';

/** Debian's. */
const executablePath = '/usr/bin/chromium';

/** Shown as skipped where Debian's chromium is not installed; in CI it has to be. */
export const describeInBrowser = describe.skipIf(!existsSync(executablePath) && !process.env.CI);

/** A browser without a window; the caller closes it. */
export function launchBrowser(): Promise<Browser> {
  return chromium.launch({ executablePath, args: ['--no-sandbox'] });
}
