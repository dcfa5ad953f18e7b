import { Refusal } from '../../../http/answers/problem.ts';

/**
 * Where to go after logging out, as an absolute URL.
 * @param text an http or https URL of one of the origins, or a path of ours that begins with one slash
 * @param baseUrl our own
 * @throws Refusal 400
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

export function originOf(url: string): string {
  return new URL(url).origin;
}

// Whatever browsers and the URL parser might read differently is refused before it is read at all.
function isPlain(text: string): boolean {
  return /^[!-[\]-~]*$/.test(text) && /^(https?:\/\/[^/]|\/(?!\/))/i.test(text);
}
