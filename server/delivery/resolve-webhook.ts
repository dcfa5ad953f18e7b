import type { Config } from '../config/config.ts';

/** A webhook as written in the metadata. */
export interface Webhook {
  /** A path of this server or an http(s) URL; may contain `{{NAME}}`. */
  readonly webhook: string;
  /** Values may contain `{{NAME}}`. */
  readonly headers?: readonly { readonly name: string; readonly value: string }[];
}

/** Everything needed to turn a webhook from metadata into a URL and headers. */
export interface WebhookServices {
  /** The URL that is put in front of webhooks that are paths; ends without a slash. */
  readonly baseUrl: string;
  /** The value of x-platform-api-token, which is sent to this server's own paths only. */
  readonly platformSecret: string;
  /** Returns an environment variable, or undefined when it is not set. */
  readonly variable: (name: string) => string | undefined;
}

/** Webhook settings taken from the configuration. */
export function webhookServices(
  { events, baseUrl }: Pick<Config, 'events' | 'baseUrl'>,
  platformSecret: string,
): WebhookServices {
  const { webhookBaseUrl = baseUrl, variable } = events;
  return { baseUrl: webhookBaseUrl, platformSecret, variable };
}

/** The URL and the headers of a request to a webhook. */
export interface ResolvedWebhook {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Texts to mask in answers: values of headers and variables, and the URL parts that contain them. */
  readonly secrets: readonly string[];
}

/** A webhook cannot be resolved. The message names what is missing or wrong and contains no value. */
export class WebhookError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'WebhookError';
  }
}

/**
 * Fills in environment variables. Adds the platform token when the webhook is a path of this server.
 * @throws WebhookError
 */
export function resolveWebhook(
  { webhook, headers = [] }: Webhook,
  { baseUrl, platformSecret, variable }: WebhookServices,
): ResolvedWebhook {
  // The text of the metadata decides, before variables are filled in. So no variable can make another host receive the
  // platform token.
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
  const address = inserted.length > 0 ? secretPartsOf(url, inserted) : [];
  const words = Object.values(allHeaders).flatMap((value) => value.split(/\s+/));
  return { url: url.href, headers: allHeaders, secrets: [...address, ...inserted, ...words] };

  function headerValue(name: string, value: string): string {
    const text = fill(value, variable);
    if (/^[\t\x20-\x7e\x80-\xff]*$/.test(text)) return text;
    throw new WebhookError(`the value of the header ${name} cannot be sent in a header`);
  }
}

/** Lists the parts of a URL that a receiver could echo: path, query, and the parts that contain a variable's value. */
function secretPartsOf({ pathname, search, searchParams }: URL, inserted: readonly string[]) {
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
