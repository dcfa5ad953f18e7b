import { execFileSync } from 'node:child_process';
import { createHmac } from 'node:crypto';

/** Computes the signature of a body as a provider does, as hexadecimal digits. */
export function hexDigest(algorithm: 'sha1' | 'sha256', secret: string, body: Buffer): string {
  return createHmac(algorithm, secret).update(body).digest('hex');
}

/** Computes the same signature with the program openssl, which shares no code with the server. */
export function opensslDigest(algorithm: 'sha1' | 'sha256', secret: string, body: Buffer): string {
  const answer = execFileSync('openssl', ['dgst', `-${algorithm}`, '-hmac', secret], {
    input: body,
    encoding: 'utf8',
  });
  return answer.trim().split(/\s+/).at(-1) ?? '';
}

/**
 * Makes the signature header of the card issuer. Its time differs from now by this many seconds.
 */
export function cardHeader(secret: string, body: Buffer, offBy = 0): string {
  const time = Math.floor(Date.now() / 1000) + offBy;
  return `t=${time},v1=${cardDigest(secret, time, body)}`;
}

export function cardDigest(secret: string, time: number, body: Buffer): string {
  return hexDigest('sha256', secret, Buffer.concat([Buffer.from(`${time}.`), body]));
}
