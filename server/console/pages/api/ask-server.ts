/**
 * From the page: the path of the server's base URL, the prefix of its headers, and who can sign in without the admin
 * secret.
 */
const { root = '', headerPrefix = '', signIn: applicationAdmin = '' } = document.body.dataset;

export { applicationAdmin, headerPrefix, root };

/** An answer of the server that is an error, or no answer. Its message says what is wrong and what to do. */
export class ServerError extends Error {
  /** The HTTP status; 0 without an answer. */
  readonly status: number;
  /** The id of the request in the log of the server. */
  readonly requestId: string | undefined;

  constructor(message: string, status = 0, requestId?: string) {
    super(message);
    this.status = status;
    this.requestId = requestId;
  }
}

/** Reads a path, or posts a body to it. @throws ServerError */
export async function askServer<Answer>(
  path: string,
  body?: unknown,
  headers: Readonly<Record<string, string>> = {},
): Promise<Answer> {
  const init = body === undefined ? { headers } : posted(JSON.stringify(body), headers);
  return (await fetchFrom(path, init)).json();
}

/** Makes a request with a body in JSON. */
export function posted(body: string, headers: Readonly<Record<string, string>>): RequestInit {
  return { method: 'POST', headers: { ...headers, 'Content-Type': 'application/json' }, body };
}

/** Returns the successful answer to a request. @throws ServerError, and the reason of the signal when it aborts */
export async function fetchFrom(path: string, init: RequestInit): Promise<Response> {
  const response = await fetch(`${root}${path}`, { ...init, credentials: 'same-origin' }).catch(
    () => {
      init.signal?.throwIfAborted();
      throw new ServerError('the server does not answer; check that it runs, then try again');
    },
  );
  if (response.ok) return response;
  throw await problemOf(response);
}

async function problemOf(response: Response): Promise<ServerError> {
  const { detail, requestId } = await response.json().catch(() => ({}));
  const message = detail ?? `the server answered with status ${response.status}; its log has more`;
  return new ServerError(message, response.status, requestId);
}

/** Begins a session. The secret is sent once and is not kept. @throws ServerError */
export async function signIn(secret: string, actor: string): Promise<void> {
  await askServer(
    '/console/sign-in',
    {},
    { [`${headerPrefix}Admin-Secret`]: asBytes(secret), 'X-Rowgate-Actor': asBytes(actor) },
  );
}

/**
 * Begins a session of a person whom the application has signed in.
 * @param token empty: the session of the application in this browser
 * @throws ServerError
 */
export async function signInAsPerson(token: string): Promise<void> {
  const headers = token === '' ? {} : { Authorization: `Bearer ${asBytes(token)}` };
  await askServer('/console/sign-in', {}, headers);
}

/** Encodes a text for a header, whose characters stand for bytes. The server reads them as UTF-8. */
export function asBytes(text: string): string {
  return String.fromCharCode(...new TextEncoder().encode(text));
}
