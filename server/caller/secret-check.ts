import { hash, timingSafeEqual } from 'node:crypto';

/** Bytes of a block: the length of a secret in 4 bytes, the secret, and zeros. */
const BLOCK = 256;
const LENGTH = 4;
const ROOM = BLOCK - LENGTH;

/** Makes a function that checks in constant time whether a given secret is one of the expected ones. */
export function secretCheck(expected: readonly string[]): (given: string) => boolean {
  const areShort = expected.every((one) => Buffer.byteLength(one) <= ROOM);
  return areShort ? blockCheck(expected) : digestCheck(expected);
}

/**
 * Compares blocks of a fixed size, so the time of the comparison does not reveal the length of a secret. Writing the
 * block takes a time that depends on the given secret only, and less time than a digest.
 */
function blockCheck(expected: readonly string[]): (given: string) => boolean {
  const blocks = expected.map((one) => fillBlock(Buffer.alloc(BLOCK), one));
  const block = Buffer.alloc(BLOCK);
  return (given) => {
    // A longer text is cut off, and its length differs from that of every expected secret.
    fillBlock(block, given);
    const isFound = isOneOf(blocks, block);
    block.fill(0);
    return isFound;
  };
}

function fillBlock(block: Buffer, secret: string): Buffer {
  block.writeUInt32BE(Buffer.byteLength(secret));
  block.write(secret, LENGTH);
  return block;
}

/** A digest has a fixed length, too, whatever the length of the secret is. */
function digestCheck(expected: readonly string[]): (given: string) => boolean {
  const digests = expected.map(digestOf);
  return (given) => isOneOf(digests, digestOf(given));
}

function digestOf(text: string): Buffer {
  return hash('sha256', text, 'buffer');
}

/** Compares with every expected value. Stopping at a match would reveal by the time which value matched. */
function isOneOf(expected: readonly Buffer[], given: Buffer): boolean {
  let isFound = false;
  for (const one of expected) if (timingSafeEqual(given, one)) isFound = true;
  return isFound;
}
