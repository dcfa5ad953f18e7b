import type { PlatformConfig } from './config/platform-config.ts';

/** The pages that mails link to. `sign-in` is the start page. */
export type LinkedPage = 'sign-in' | `invoices/${string}` | `receipts/${string}`;

/** The first segment of the built-in pages that stand in for an application. */
export const builtInPages = '/open';

/** Returns the URL of a page in the application of ROWGATE_APP_URL; without one, of a built-in page. */
export function linkTo(
  page: LinkedPage,
  { appUrl, baseUrl }: Pick<PlatformConfig, 'appUrl' | 'baseUrl'>,
): string {
  if (appUrl === undefined) return `${baseUrl}${builtInPages}/${page}`;
  return page === 'sign-in' ? appUrl : `${appUrl}/${page}`;
}
