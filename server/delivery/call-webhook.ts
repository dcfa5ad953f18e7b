import { errorMessage } from '../errors.ts';
import { type Answer, type Delivery, deliver } from './deliver.ts';
import { resolveWebhook, type Webhook, type WebhookServices } from './resolve-webhook.ts';

/**
 * Minimum length of a value to mask. Shorter values can occur in an answer by chance, and masking them would spoil the
 * answer.
 */
const minSecretLength = 8;

/**
 * Resolves a webhook and posts to it. Never throws: when the webhook cannot be resolved, the returned answer contains
 * the reason as its error.
 */
export async function callWebhook(
  webhook: Webhook,
  call: Pick<Delivery, 'body' | 'timeoutMs' | 'signal'>,
  services: WebhookServices,
): Promise<Answer> {
  try {
    const { url, headers, secrets } = resolveWebhook(webhook, services);
    const answer = await deliver({ url, headers, ...call });
    return { ...answer, excerpt: maskSecrets(secrets, answer.excerpt) };
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

/**
 * Masks secrets in an answer. A receiver may echo the headers of the request, and excerpts of answers are stored and
 * shown to operators.
 */
export function maskSecrets(secrets: readonly string[], text: string): string {
  return (
    secrets
      // A receiver may echo a secret unchanged, URL-encoded, or in JSON with escaped slashes.
      .flatMap((secret) => [secret, encodeURIComponent(secret), secret.replaceAll('/', '\\/')])
      .filter((secret) => secret.length >= minSecretLength)
      .reduce((left, secret) => maskCutSecret(secret, left.replaceAll(secret, '***')), text)
  );
}

/** Masks the beginning of a secret that the end of an excerpt has cut off. */
function maskCutSecret(secret: string, text: string): string {
  for (let length = secret.length - 1; length >= minSecretLength; length -= 1) {
    if (text.endsWith(secret.slice(0, length))) return `${text.slice(0, -length)}***`;
  }
  return text;
}
