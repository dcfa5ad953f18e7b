import { existsSync } from 'node:fs';
import { type Browser, chromium } from 'playwright-core';
import { describe } from 'vitest';

/** Debian's. */
const executablePath = '/usr/bin/chromium';

/** Shown as skipped where Debian's chromium is not installed; in CI it has to be. */
export const describeInBrowser = describe.skipIf(!existsSync(executablePath) && !process.env.CI);

let shared: Promise<Browser> | undefined;

/**
 * A browser without a window, the same for all files that run in this process, which ends it; what a file opens in
 * it, the file closes, for a page costs as long as it is open.
 */
export function sharedBrowser(): Promise<Browser> {
  shared ??= chromium.launch({ executablePath, args: ['--no-sandbox'] });
  return shared;
}
