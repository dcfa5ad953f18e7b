import { existsSync } from 'node:fs';
import { type Browser, chromium } from 'playwright-core';
import { describe } from 'vitest';

/** The path in Debian. */
const executablePath = '/usr/bin/chromium';

/** Skips tests when Debian's Chromium is not installed. In CI it must be installed. */
export const describeInBrowser = describe.skipIf(!existsSync(executablePath) && !process.env.CI);

let shared: Promise<Browser> | undefined;

/**
 * Returns a headless browser that all files of this process share; the process closes it. Each file closes the pages
 * that it opens, because open pages use resources.
 */
export function sharedBrowser(): Promise<Browser> {
  shared ??= chromium.launch({ executablePath, args: ['--no-sandbox'] });
  return shared;
}
