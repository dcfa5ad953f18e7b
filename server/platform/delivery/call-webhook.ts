import { errorMessage } from '../../errors.ts';
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
    const { url, headers } = resolveWebhook(webhook, services);
    const answer = await deliver({ url, headers, ...call });
    return { ...answer, excerpt: without(Object.values(headers), answer.excerpt) };
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
function without(values: readonly string[], text: string): string {
  const words = values.flatMap((value) => value.split(/\s+/));
  return words
    .filter((word) => word.length >= leastSecret)
    .reduce((left, word) => left.replaceAll(word, '***'), text);
}
