import { Refusal } from '../../../http/answers/problem.ts';

/**
 * Parses the target after a logout to an absolute URL.
 * @param text an http or https URL of an allowed origin, or a path of this server that begins with one slash
 * @param baseUrl the root URL of this server
 * @throws Refusal 400 for other targets, which would make the logout an open redirect
 */
export function parseReturnTo(text: string, baseUrl: string, origins: ReadonlySet<string>): string {
  const url = isPlain(text) ? URL.parse(text, baseUrl) : null;
  const isAllowed = url !== null && (origins.has(url.origin) || url.origin === originOf(baseUrl));
  if (isAllowed && url.username === '' && url.password === '') return url.href;
  throw new Refusal({
    status: 400,
    code: 'bad-request',
    detail:
      'query.returnTo must be a path of this service, like /welcome, or a URL of one of the origins in ROWGATE_APP_ORIGINS',
  });
}

function originOf(url: string): string {
  return new URL(url).origin;
}

// Refuses texts that browsers could parse differently from Node, such as texts with a backslash.
function isPlain(text: string): boolean {
  return /^[!-[\]-~]*$/.test(text) && /^(https?:\/\/[^/]|\/(?!\/))/i.test(text);
}
