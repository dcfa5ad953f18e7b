import { createHash, randomBytes } from 'node:crypto';

/**
 * The SDKs for which tokens are issued. Each has the prefix of its tokens and the role in which callers with such a
 * token act.
 */
export const sdkKinds = {
  workflow: { prefix: 'wf_sdk_', role: 'workflow_sdk_user' },
  kyc: { prefix: 'kyc_sdk_', role: 'kyc_sdk_user' },
} as const;
export type SdkKind = keyof typeof sdkKinds;

const prefixes = Object.values(sdkKinds).map(({ prefix }) => prefix);
const shape = new RegExp(`^(?:${prefixes.join('|')})[A-Za-z0-9_-]{43}$`);

/** Makes a token: the prefix of the SDK and 32 random bytes as base64url. */
export function newSdkToken(kind: SdkKind): string {
  return `${sdkKinds[kind].prefix}${randomBytes(32).toString('base64url')}`;
}

/** Returns true for a text with the prefix of an SDK token, valid or not. */
export function looksLikeSdkToken(text: string): boolean {
  return prefixes.some((prefix) => text.startsWith(prefix));
}

/** Returns the SHA-256 under which a token is stored; undefined when the text does not have the form of a token. */
export function sdkTokenDigest(text: string): Buffer | undefined {
  return shape.test(text) ? createHash('sha256').update(text).digest() : undefined;
}
