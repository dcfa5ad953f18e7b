import { createHash, randomBytes } from 'node:crypto';

/** The parts of an API key `rg_<id>_<secret>`. The id is public. */
export interface ApiKeyText {
  /** 12 hexadecimal digits. */
  readonly id: string;
  /** 32 random bytes as base64url. */
  readonly secret: string;
}

const shape = /^rg_([0-9a-f]{12})_([A-Za-z0-9_-]{43})$/;

/** Makes a random key. */
export function newApiKey(): ApiKeyText {
  return { id: randomBytes(6).toString('hex'), secret: randomBytes(32).toString('base64url') };
}

export function formatApiKey({ id, secret }: ApiKeyText): string {
  return `rg_${id}_${secret}`;
}

/** Splits a key into its parts; undefined when the text does not have the form of a key. */
export function parseApiKey(text: string): ApiKeyText | undefined {
  const [, id, secret] = shape.exec(text) ?? [];
  return id === undefined || secret === undefined ? undefined : { id, secret };
}

/**
 * Returns the digest that is stored instead of the secret. A slow hash is unnecessary for a random secret of 256 bits.
 */
export function digestOf(secret: string): Buffer {
  return createHash('sha256').update(secret).digest();
}
