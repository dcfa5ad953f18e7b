import { errorMessage } from '../errors.ts';
import { type Answer, type Delivery, deliver } from './deliver.ts';
import { resolveWebhook, type Webhook, type WebhookServices } from './resolve-webhook.ts';

/** Shorter words are no secrets, and stand in answers by chance. */
const leastSecret = 8;

/** Resolves a webhook and posts to it. One that cannot be resolved is a failed call that says why; never throws. */
export async function callWebhook(
  webhook: Webhook,
  call: Pick<Delivery, 'body' | 'timeoutMs' | 'stop'>,
  services: WebhookServices,
): Promise<Answer> {
  try {
    const { url, headers, secrets } = resolveWebhook(webhook, services);
    const answer = await deliver({ url, headers, ...call });
    return { ...answer, excerpt: withoutSecrets(secrets, answer.excerpt) };
  } catch (error) {
    return {
      status: undefined,
      retryAfterMs: undefined,
      excerpt: '',
      durationMs: 0,
      error: errorMessage(error),
    };
  }
}

/** Receivers that tell what they were sent would have it kept, and shown to whoever looks after events. */
export function withoutSecrets(secrets: readonly string[], text: string): string {
  return (
    secrets
      // As it is, in a URL, and in JSON as some languages write it.
      .flatMap((secret) => [secret, encodeURIComponent(secret), secret.replaceAll('/', '\\/')])
      .filter((secret) => secret.length >= leastSecret)
      .reduce((left, secret) => withoutCut(secret, left.replaceAll(secret, '***')), text)
  );
}

/** A secret that the end of an excerpt has cut in two. */
function withoutCut(secret: string, text: string): string {
  for (let length = secret.length - 1; length >= leastSecret; length -= 1) {
    if (text.endsWith(secret.slice(0, length))) return `${text.slice(0, -length)}***`;
  }
  return text;
}
