import { errorMessage } from '../../errors.ts';
import { type Answer, type Delivery, deliver } from './deliver.ts';
import { resolveWebhook, type Webhook, type WebhookServices } from './resolve-webhook.ts';

/** Resolves a webhook and posts to it. One that cannot be resolved is a failed call that says why; never throws. */
export async function callWebhook(
  webhook: Webhook,
  call: Pick<Delivery, 'body' | 'timeoutMs' | 'stop'>,
  services: WebhookServices,
): Promise<Answer> {
  try {
    return await deliver({ ...resolveWebhook(webhook, services), ...call });
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
