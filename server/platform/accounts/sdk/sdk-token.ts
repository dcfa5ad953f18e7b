import { createHash, randomBytes } from 'node:crypto';

/** What the SDKs are; each acts in a role of its own. */
export const sdkKinds = {
  workflow: { prefix: 'wf_sdk_', role: 'workflow_sdk_user' },
  kyc: { prefix: 'kyc_sdk_', role: 'kyc_sdk_user' },
} as const;
export type SdkKind = keyof typeof sdkKinds;

const prefixes = Object.values(sdkKinds).map(({ prefix }) => prefix);
const shape = new RegExp(`^(?:${prefixes.join('|')})[A-Za-z0-9_-]{43}$`);

/** Prefix and 32 random bytes as base64url. */
export function newSdkToken(kind: SdkKind): string {
  return `${sdkKinds[kind].prefix}${randomBytes(32).toString('base64url')}`;
}

/** Whether a text means to be such a token, right or wrong. */
export function looksLikeSdkToken(text: string): boolean {
  return prefixes.some((prefix) => text.startsWith(prefix));
}

/** SHA-256, by which it is stored; undefined where the text cannot be such a token. */
export function sdkTokenDigest(text: string): Buffer | undefined {
  return shape.test(text) ? createHash('sha256').update(text).digest() : undefined;
}
