import { createHmac, timingSafeEqual } from 'node:crypto';
import { type BlockList, isIP } from 'node:net';
import type { Request } from 'express';
import { inHeader, type SecurityScheme } from '../../../../http/endpoint/security-scheme.ts';

/** The reason why a callback does not prove its sender. It is not reported to the sender. */
export type ProofFailure = 'not_configured' | 'signature' | 'timestamp' | 'address';

/** A check that a callback comes from its provider. */
export interface SenderProof {
  readonly schemes: readonly SecurityScheme[];
  /** Checks the headers before the body is read. Returns the failure, if any. */
  failureOfHeaders(request: Request): ProofFailure | undefined;
  /** Checks the whole callback. Returns the failure; undefined when the provider sent this body. */
  failureOfBody(request: Request, body: Buffer): ProofFailure | undefined;
}

interface DigestOptions {
  /** Name of the security scheme. */
  readonly scheme: string;
  readonly header: string;
  /** Describes the header. */
  readonly description: string;
  readonly algorithm: 'sha1' | 'sha256';
  /** The accepted secrets; an empty list refuses every callback. */
  readonly secrets: readonly string[];
}

/** Checks a header with an HMAC of the body in hexadecimal digits. */
export function digestProof(options: DigestOptions): SenderProof {
  const { scheme, header, description, algorithm, secrets } = options;
  return {
    schemes: [{ name: scheme, object: inHeader(header, description) }],
    failureOfHeaders: (request) => failureWithout(request.get(header), secrets),
    failureOfBody: (request, body) => {
      const given = [request.get(header) ?? ''];
      const isSigned = hasDigest(given, secrets, (secret) => hmac(algorithm, secret, body));
      return isSigned ? undefined : 'signature';
    },
  };
}

function failureWithout(
  signature: string | undefined,
  secrets: readonly string[],
): ProofFailure | undefined {
  if (secrets.length === 0) return 'not_configured';
  return signature === undefined ? 'signature' : undefined;
}

const cardHeader = 'x-card-signature';
const toleranceSeconds = 300;

const cardScheme: SecurityScheme = {
  name: 'cardSignature',
  object: inHeader(
    'X-Card-Signature',
    '`t=<seconds since 1970>,v1=<signature>`: HMAC-SHA256 of the time, a full stop and the unchanged body in hexadecimal digits, with the secret of the card issuer. There may be several `v1`. The time may differ by 300 seconds.',
  ),
};

/**
 * Checks `t=<unix>,v1=<hex>`: HMAC-SHA256 of the time, a dot and the body. Allows several `v1`, and five minutes of
 * delay.
 */
export function cardProof(
  secrets: readonly string[],
  now: () => number = () => Math.floor(Date.now() / 1000),
): SenderProof {
  return {
    schemes: [cardScheme],
    failureOfHeaders: (request) => failureWithout(request.get(cardHeader), secrets),
    failureOfBody: (request, body) => {
      const { time, signatures } = parseCardHeader(request.get(cardHeader) ?? '');
      if (time === undefined) return 'signature';
      const signed = Buffer.concat([Buffer.from(`${time}.`), body]);
      if (!hasDigest(signatures, secrets, (secret) => hmac('sha256', secret, signed))) {
        return 'signature';
      }
      return Math.abs(now() - Number(time)) > toleranceSeconds ? 'timestamp' : undefined;
    },
  };
}

function parseCardHeader(header: string) {
  const parts = header.split(',').map((part) => part.trim());
  const valuesOf = (name: string) =>
    parts.filter((part) => part.startsWith(`${name}=`)).map((part) => part.slice(name.length + 1));
  const [time, ...more] = valuesOf('t');
  const isOne = time !== undefined && more.length === 0 && /^\d{1,12}$/.test(time);
  return { time: isOne ? time : undefined, signatures: valuesOf('v1') };
}

/** Checks the sender's address against a list. Without a list every callback is refused. */
export function addressProof(addresses: BlockList | undefined): SenderProof {
  return {
    schemes: [],
    failureOfHeaders: (request) => {
      if (addresses === undefined) return 'not_configured';
      return isListed(addresses, request.ip ?? '') ? undefined : 'address';
    },
    failureOfBody: () => undefined,
  };
}

function isListed(addresses: BlockList, given: string): boolean {
  // A socket for IPv4 and IPv6 reports an IPv4 address as ::ffff:a.b.c.d, and the list does not contain this form.
  const address = given.replace(/^::ffff:(?=\d+\.)/i, '').replace(/%.*$/, '');
  const version = isIP(address);
  return version !== 0 && addresses.check(address, version === 6 ? 'ipv6' : 'ipv4');
}

function hmac(algorithm: string, secret: string, body: Buffer): Buffer {
  return createHmac(algorithm, secret).update(body).digest();
}

/** Compares every given digest with every expected digest, in constant time. */
function hasDigest(
  given: readonly string[],
  secrets: readonly string[],
  digestBy: (secret: string) => Buffer,
): boolean {
  const expected = secrets.map(digestBy);
  const bytes = given.map((text) =>
    Buffer.from(/^(?:[\da-f]{2})*$/i.test(text) ? text : '', 'hex'),
  );
  return bytes
    .flatMap((one) =>
      expected.map((other) => one.length === other.length && timingSafeEqual(one, other)),
    )
    .includes(true);
}
