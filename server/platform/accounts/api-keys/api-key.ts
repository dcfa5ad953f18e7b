import { createHash, randomBytes } from 'node:crypto';

/** `rg_<id>_<secret>`: the id is no secret. */
export interface ApiKeyText {
  /** 12 hexadecimal digits. */
  readonly id: string;
  /** 32 random bytes as base64url. */
  readonly secret: string;
}

const shape = /^rg_([0-9a-f]{12})_([A-Za-z0-9_-]{43})$/;

/** A key that nobody has. */
export function newApiKey(): ApiKeyText {
  return { id: randomBytes(6).toString('hex'), secret: randomBytes(32).toString('base64url') };
}

export function formatApiKey({ id, secret }: ApiKeyText): string {
  return `rg_${id}_${secret}`;
}

/** undefined where the text cannot be a key. */
export function parseApiKey(text: string): ApiKeyText | undefined {
  const [, id, secret] = shape.exec(text) ?? [];
  return id === undefined || secret === undefined ? undefined : { id, secret };
}

/** What is stored of a key. A random secret of 256 bits needs no slow hash. */
export function digestOf(secret: string): Buffer {
  return createHash('sha256').update(secret).digest();
}
