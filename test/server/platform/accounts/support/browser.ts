import type { TestServer } from '../../../../support/http.ts';

/** A client that stores one cookie and sends it with each later request, like a browser. */
export class Browser {
  readonly #server: Pick<TestServer, 'url'>;
  /** The stored cookie as `name=value`. Empty: none. */
  cookie: string;

  constructor(server: Pick<TestServer, 'url'>, cookie = '') {
    this.#server = server;
    this.cookie = cookie;
  }

  async fetch(
    path: string,
    { headers, ...init }: RequestInit & { headers?: Readonly<Record<string, string>> } = {},
  ): Promise<Response> {
    const response = await fetch(`${this.#server.url}${path}`, {
      redirect: 'manual',
      ...init,
      headers: { ...(this.cookie !== '' && { Cookie: this.cookie }), ...headers },
    });
    const [set] = response.headers.getSetCookie();
    if (set !== undefined) this.cookie = set.split(';')[0]?.replace(/=$/, '=gone') ?? '';
    return response;
  }

  /** Exchanges a provider's token for a session, whose cookie is then stored. */
  exchange(token: string, headers: Readonly<Record<string, string>> = {}): Promise<Response> {
    return this.fetch('/auth/token-exchange', {
      method: 'POST',
      headers: { Authorization: `Bearer ${token}`, ...headers },
    });
  }

  async graphql(
    query: string,
    headers: Readonly<Record<string, string>> = {},
    // biome-ignore lint/suspicious/noExplicitAny: the shape is what the test is about
  ): Promise<any> {
    const response = await this.fetch('/v1/graphql', {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', ...headers },
      body: JSON.stringify({ query }),
    });
    return response.json();
  }
}
