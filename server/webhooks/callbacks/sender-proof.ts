import { createHmac, timingSafeEqual } from 'node:crypto';
import { type BlockList, isIP } from 'node:net';
import type { Request } from 'express';
import type { SecurityScheme } from '../../rest/access.ts';
import { Refusal } from '../../rest/problem.ts';

/** How a callback shows that it comes from its provider. */
export interface SenderProof {
  readonly schemes: readonly SecurityScheme[];
  /** Whether it is worth reading the body. */
  mayBe(request: Request): boolean;
  /** Whether it is the provider who sent this body. */
  isProven(request: Request, body: Buffer): boolean;
}

/** The same words whatever is wrong, so that nobody learns from them how to come closer. */
export function unproven(): Refusal {
  const detail = 'it does not show that it comes from the provider';
  return new Refusal({ status: 401, code: 'unauthenticated', detail });
}

interface DigestOptions {
  readonly scheme: SecurityScheme;
  readonly header: string;
  readonly algorithm: 'sha1' | 'sha256';
  /** Any one of them; none: nobody is the provider. */
  readonly secrets: readonly string[];
}

/** A header that holds an HMAC of the body in hexadecimal digits. */
export function digestProof({ scheme, header, algorithm, secrets }: DigestOptions): SenderProof {
  return {
    schemes: [scheme],
    mayBe: (request) => secrets.length > 0 && request.get(header) !== undefined,
    isProven: (request, body) => {
      const given = [request.get(header) ?? ''];
      return hasDigest(given, secrets, (secret) => hmac(algorithm, secret, body));
    },
  };
}

const cardHeader = 'x-card-signature';
const toleranceSeconds = 300;

/** `t=<unix>,v1=<hex>`: an HMAC-SHA256 of the time, a full stop and the body, in time; several `v1` may stand there. */
export function cardProof(
  secrets: readonly string[],
  now: () => number = () => Math.floor(Date.now() / 1000),
): SenderProof {
  return {
    schemes: ['cardSignature'],
    mayBe: (request) => secrets.length > 0 && request.get(cardHeader) !== undefined,
    isProven: (request, body) => {
      const { time, signatures } = parseCardHeader(request.get(cardHeader) ?? '');
      if (time === undefined || Math.abs(now() - Number(time)) > toleranceSeconds) return false;
      const signed = Buffer.concat([Buffer.from(`${time}.`), body]);
      return hasDigest(signatures, secrets, (secret) => hmac('sha256', secret, signed));
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

/** Addresses that the provider calls from; none: nobody is the provider. */
export function addressProof(addresses: BlockList | undefined): SenderProof {
  return {
    schemes: [],
    mayBe: (request) => addresses !== undefined && isListed(addresses, request.ip ?? ''),
    isProven: () => true,
  };
}

function isListed(addresses: BlockList, given: string): boolean {
  // How a socket for both families writes an address of version 4.
  const address = given.replace(/^::ffff:(?=\d+\.)/i, '').replace(/%.*$/, '');
  const version = isIP(address);
  return version !== 0 && addresses.check(address, version === 6 ? 'ipv6' : 'ipv4');
}

function hmac(algorithm: string, secret: string, body: Buffer): Buffer {
  return createHmac(algorithm, secret).update(body).digest();
}

/** Compares everything with everything, in a time that tells nothing about the digests. */
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
