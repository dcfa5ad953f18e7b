import type { ConsoleFiles } from './console-files.ts';

export interface PageOptions extends Pick<ConsoleFiles, 'script' | 'style'> {
  /** The path of the server's base URL, without a slash at its end. */
  readonly root: string;
  readonly headerPrefix: string;
  /** The people who can sign in without the admin secret, such as `admin of the platform`; absent: nobody. */
  readonly signIn: string | undefined;
}

/** Allows only scripts and styles of this server. Scripts may not turn texts into markup (Trusted Types). */
export const pagePolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  'img-src data:',
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join('; ');

/** Returns the HTML of every page of the console. The script draws the screen that the path names. */
export function pageWith({ script, style, root, headerPrefix, signIn = '' }: PageOptions): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Rowgate console</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="${root}/console/assets/${style}">
<script type="module" src="${root}/console/assets/${script}"></script>
</head>
<body data-root="${root}" data-header-prefix="${headerPrefix}" data-sign-in="${signIn}">
<div id="console"></div>
<noscript>The console needs JavaScript. rowgate matrix and rowgate explain show the same on the command line.</noscript>
</body>
</html>
`;
}
