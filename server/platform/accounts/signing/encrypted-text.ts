import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';

const cipher = 'aes-256-gcm';
const keyBytes = 32;
const nonceBytes = 12;
const tagBytes = 16;
/** The first byte of an encrypted text, which identifies the format. */
const version = 1;

/**
 * Encrypts and authenticates a text.
 * @param place identifies the owner of the text, e.g. the id of its row; the text cannot be decrypted for another place
 */
export function encrypt(text: string, secret: string, place: string): Buffer {
  const nonce = randomBytes(nonceBytes);
  const encryption = createCipheriv(cipher, keyOf(secret), nonce, { authTagLength: tagBytes });
  encryption.setAAD(Buffer.from(place));
  const encrypted = Buffer.concat([encryption.update(text, 'utf8'), encryption.final()]);
  return Buffer.concat([Buffer.of(version), nonce, encryption.getAuthTag(), encrypted]);
}

/** Decrypts a text; undefined when it was encrypted with another secret or for another place, or is damaged. */
export function decrypt(encrypted: Buffer, secret: string, place: string): string | undefined {
  const textStart = 1 + nonceBytes + tagBytes;
  if (encrypted[0] !== version || encrypted.length < textStart) return undefined;
  const nonce = encrypted.subarray(1, 1 + nonceBytes);
  const decryption = createDecipheriv(cipher, keyOf(secret), nonce, { authTagLength: tagBytes });
  decryption.setAAD(Buffer.from(place));
  decryption.setAuthTag(encrypted.subarray(1 + nonceBytes, textStart));
  try {
    const text = Buffer.concat([
      decryption.update(encrypted.subarray(textStart)),
      decryption.final(),
    ]);
    return text.toString('utf8');
  } catch {
    return undefined;
  }
}

function keyOf(secret: string): Buffer {
  return Buffer.from(hkdfSync('sha256', secret, '', 'rowgate signing keys', keyBytes));
}
