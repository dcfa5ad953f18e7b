import type { AuthWebhookConfig } from '../../config/authentication/auth-webhook-config.ts';
import type { CallerRequest } from '../caller-request.ts';
import { type JsonObject, readJsonObject } from '../jwt/json-object.ts';
import { readBytes } from '../jwt/keys/fetch-json.ts';
import { allHeaders, forwardedHeaders } from './forwarded-headers.ts';

/** The answer of the webhook: its JSON object for status 200, or a refusal for status 401. */
export type WebhookAnswer = JsonObject | 'refused';

/**
 * Calls the webhook for a request. Rejects with an Error whose message names the problem, except for the answers of
 * `WebhookAnswer`.
 */
export async function callAuthWebhook(
  request: CallerRequest,
  { url, mode, timeoutMs }: AuthWebhookConfig,
): Promise<WebhookAnswer> {
  const response = await fetch(url, {
    ...(mode === 'GET' ? { headers: forwardedHeaders(request.headersDistinct) } : post(request)),
    // A redirect could pass the credentials of callers to another server.
    redirect: 'error',
    signal: AbortSignal.timeout(timeoutMs),
  });
  if (response.status !== 200) {
    await response.body?.cancel();
    if (response.status === 401) return 'refused';
    throw new Error(`the webhook answers with status ${response.status}`);
  }
  const answer = readJsonObject(await readBytes('the webhook', response));
  if (answer) return answer;
  throw new Error('the webhook does not answer with a JSON object');
}

function post({ headersDistinct, body }: CallerRequest): RequestInit {
  return {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ headers: allHeaders(headersDistinct), request: operationIn(body) }),
  };
}

/** Returns the JSON in the body of a request; null for another body, and for messages of a WebSocket. */
function operationIn(body: unknown): unknown {
  if (!Buffer.isBuffer(body)) return null;
  try {
    return JSON.parse(body.toString());
  } catch {
    return null;
  }
}
