import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';

const cipher = 'aes-256-gcm';
const keyBytes = 32;
const nonceBytes = 12;
const tagBytes = 16;
/** First byte of what is sealed: how the rest is to be read. */
const version = 1;

/**
 * Encrypts a text so that nobody without the secret reads or changes it, or puts it in another place.
 * @param place what it belongs to, e.g. the id of its row
 */
export function seal(text: string, secret: string, place: string): Buffer {
  const nonce = randomBytes(nonceBytes);
  const encryption = createCipheriv(cipher, keyOf(secret), nonce, { authTagLength: tagBytes });
  encryption.setAAD(Buffer.from(place));
  const sealed = Buffer.concat([encryption.update(text, 'utf8'), encryption.final()]);
  return Buffer.concat([Buffer.of(version), nonce, encryption.getAuthTag(), sealed]);
}

/** The text, or undefined where it was sealed with another secret, for another place, or is damaged. */
export function unseal(sealed: Buffer, secret: string, place: string): string | undefined {
  const textStart = 1 + nonceBytes + tagBytes;
  if (sealed[0] !== version || sealed.length < textStart) return undefined;
  const nonce = sealed.subarray(1, 1 + nonceBytes);
  const decryption = createDecipheriv(cipher, keyOf(secret), nonce, { authTagLength: tagBytes });
  decryption.setAAD(Buffer.from(place));
  decryption.setAuthTag(sealed.subarray(1 + nonceBytes, textStart));
  try {
    const text = Buffer.concat([decryption.update(sealed.subarray(textStart)), decryption.final()]);
    return text.toString('utf8');
  } catch {
    return undefined;
  }
}

function keyOf(secret: string): Buffer {
  return Buffer.from(hkdfSync('sha256', secret, '', 'rowgate signing keys', keyBytes));
}
