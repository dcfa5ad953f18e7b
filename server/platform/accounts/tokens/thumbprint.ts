import { createHash, type JsonWebKey } from 'node:crypto';

/** What a public key is called where nobody named it: the digest of its own members (RFC 7638). */
export function thumbprintOf({ kty, n, e, crv, x, y }: JsonWebKey): string {
  // Exactly these members, in this order.
  const members = kty === 'RSA' ? { e, kty, n } : { crv, kty, x, y };
  return createHash('sha256').update(JSON.stringify(members)).digest('base64url');
}
