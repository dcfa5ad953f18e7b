import type { RawAuthenticationWebhook } from '../../../permissions/index.ts';
import { claimsPrefixes, type SettingContext, urlOf } from './setting-reader.ts';

/** A service that identifies the callers of requests. */
export interface AuthWebhookConfig {
  readonly url: string;
  readonly mode: 'GET' | 'POST';
  readonly timeoutMs: number;
  /** The accepted prefixes of names in answers, in lower case. */
  readonly prefixes: readonly string[];
  /**
   * Headers with credentials, in lower case. A request without any of them has the anonymous role, if one is
   * configured. Pages of other origins, and the first message of a WebSocket, may send these headers.
   */
  readonly credentialHeaders: readonly string[];
}

const defaults = {
  mode: 'GET',
  timeoutMs: 10_000,
  credentialHeaders: ['Authorization', 'Cookie'],
} as const;

/** @throws AuthenticationProblem */
export function readAuthWebhook(
  raw: RawAuthenticationWebhook,
  context: SettingContext,
): AuthWebhookConfig {
  return {
    url: urlOf('url', raw.url, context),
    mode: raw.mode === 'POST' ? 'POST' : defaults.mode,
    timeoutMs: raw.timeout_ms ?? defaults.timeoutMs,
    prefixes: claimsPrefixes(raw.claims_prefix, context),
    credentialHeaders: (raw.credential_headers ?? defaults.credentialHeaders).map((name) =>
      name.toLowerCase(),
    ),
  };
}
