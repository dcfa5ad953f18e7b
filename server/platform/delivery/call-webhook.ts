import { errorMessage } from '../../errors.ts';
import { type Answer, deliver } from './deliver.ts';
import { resolveWebhook, type Webhook, type WebhookServices } from './resolve-webhook.ts';

/** Resolves a webhook and posts to it. One that cannot be resolved is a failed call that says why; never throws. */
export async function callWebhook(
  webhook: Webhook,
  { body, timeoutMs }: { readonly body: string; readonly timeoutMs: number },
  services: WebhookServices,
): Promise<Answer> {
  try {
    return await deliver({ ...resolveWebhook(webhook, services), body, timeoutMs });
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
