import type { Config } from '../config/config.ts';

/** A webhook as the metadata has it. */
export interface Webhook {
  /** A path of this platform, or an http(s) URL; may hold `{{NAME}}`. */
  readonly webhook: string;
  /** Their values may hold `{{NAME}}`. */
  readonly headers?: readonly { readonly name: string; readonly value: string }[];
}

/** What webhooks are resolved with. */
export interface WebhookServices {
  /** Before paths, without a slash at its end. */
  readonly baseUrl: string;
  /** What x-platform-api-token says to this platform, and to nobody else. */
  readonly platformSecret: string;
  /** A variable of the environment; undefined where it is not set. */
  readonly variable: (name: string) => string | undefined;
}

/** Those of a configuration. */
export function webhookServices(
  { events, baseUrl }: Pick<Config, 'events' | 'baseUrl'>,
  platformSecret: string,
): WebhookServices {
  const { webhookBaseUrl = baseUrl, variable } = events;
  return { baseUrl: webhookBaseUrl, platformSecret, variable };
}

/** Where to post, and with which headers. */
export interface ResolvedWebhook {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Texts of the call that nobody else may read: values of headers, variables, and addresses made of them. */
  readonly secrets: readonly string[];
}

/** A webhook that cannot be called as the environment is; the message names what is missing and no value. */
export class WebhookError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'WebhookError';
  }
}

/**
 * Fills in the variables, and proves to this platform's own endpoints who calls.
 * @throws WebhookError
 */
export function resolveWebhook(
  { webhook, headers = [] }: Webhook,
  { baseUrl, platformSecret, variable }: WebhookServices,
): ResolvedWebhook {
  // Decided by what the metadata says: no variable makes another host this platform.
  const isOwn = webhook.startsWith('/');
  const inserted: string[] = [];
  const filled = fill(webhook, (name) => {
    const value = variable(name);
    if (value !== undefined) inserted.push(value);
    return value;
  });
  const url = URL.parse(isOwn ? `${baseUrl}${filled}` : filled);
  if (!url || !/^https?:$/.test(url.protocol)) {
    throw new WebhookError(`the webhook ${webhook} does not become an http(s) URL`);
  }
  if (url.username !== '' || url.password !== '') {
    throw new WebhookError(`the webhook ${webhook} holds a login; send it in a header instead`);
  }
  const sent = headers.map(({ name, value }) => [name.toLowerCase(), headerValue(name, value)]);
  const allHeaders: Readonly<Record<string, string>> = {
    ...Object.fromEntries(sent),
    ...(isOwn && { 'x-platform-api-token': platformSecret }),
  };
  const address = inserted.length > 0 ? addressOf(url, inserted) : [];
  const words = Object.values(allHeaders).flatMap((value) => value.split(/\s+/));
  return { url: url.href, headers: allHeaders, secrets: [...address, ...inserted, ...words] };

  function headerValue(name: string, value: string): string {
    const text = fill(value, variable);
    if (/^[\t\x20-\x7e\x80-\xff]*$/.test(text)) return text;
    throw new WebhookError(`the value of the header ${name} cannot be sent in a header`);
  }
}

/** What a receiver could repeat of an address: all of it, or the parts that variables brought. */
function addressOf({ pathname, search, searchParams }: URL, inserted: readonly string[]) {
  const parts = [...pathname.split('/'), ...searchParams.values()];
  const secret = parts.filter((part) => inserted.some((value) => value.includes(part)));
  return [pathname + search, pathname, search, ...secret];
}

function fill(text: string, variable: (name: string) => string | undefined): string {
  return text.replace(/\{\{\s*([A-Za-z_][A-Za-z0-9_]*)\s*\}\}/g, (_whole, name: string) => {
    const value = variable(name);
    if (value !== undefined) return value;
    throw new WebhookError(`the environment variable ${name} is not set`);
  });
}
