/*
 * The messages of a client to Postgres (https://www.postgresql.org/docs/current/protocol-message-formats.html). pg makes
 * a buffer for each message; this class writes all messages of a flight into one.
 */

/** The text of a literal, or a list that becomes an array literal. */
export type BoundValue = string | null | readonly BoundValue[];

const PARSE = 0x50;
const BIND = 0x42;
const EXECUTE_UNNAMED = Buffer.from('45000000090000000000', 'hex');
const SYNC = Buffer.from('5300000004', 'hex');

const INITIAL_BYTES = 16 * 1024;
/** A buffer that has grown beyond this size is not used again. */
const MAX_KEPT_BYTES = 256 * 1024;
/** Up to this length, a loop is faster than a call of native code. */
const SHORT = 24;
/** The maximum number of bytes of one UTF-16 unit in UTF-8. */
const BYTES_PER_UNIT = 3;

/** Writes protocol messages into one buffer. */
export class MessageWriter {
  #buffer = Buffer.allocUnsafeSlow(INITIAL_BYTES);
  #at = 0;

  /** Prepares a statement. Postgres infers the types of its parameters. */
  parse(name: string, text: string): void {
    const start = this.#begin(PARSE);
    this.#text(name);
    this.#zero(1);
    this.#text(text);
    this.#zero(3);
    this.#finish(start);
  }

  /**
   * Binds values to the parameters of a statement. Postgres sends all columns as text.
   * @throws TypeError when a value is neither a text nor a list
   */
  bind(name: string, values: readonly BoundValue[]): void {
    const start = this.#begin(BIND);
    this.#zero(1);
    this.#text(name);
    // After the end of the name: no format codes, because all parameters are texts.
    this.#zero(3);
    this.#int16(values.length);
    for (const value of values) {
      if (value === null) this.#int32(-1);
      else this.#prefixed(textOf(value));
    }
    this.#zero(2);
    this.#finish(start);
  }

  /** Runs the bound statement. */
  execute(): void {
    this.#bytes(EXECUTE_UNNAMED);
  }

  /** Ends the implicit transaction. */
  sync(): void {
    this.#bytes(SYNC);
  }

  /** Returns all messages that were written, and begins anew. */
  take(): Buffer {
    const messages = Buffer.allocUnsafe(this.#at);
    this.#buffer.copy(messages, 0, 0, this.#at);
    this.clear();
    return messages;
  }

  /** Discards all messages. */
  clear(): void {
    this.#at = 0;
    if (this.#buffer.length > MAX_KEPT_BYTES) this.#buffer = Buffer.allocUnsafeSlow(INITIAL_BYTES);
  }

  #begin(code: number): number {
    this.#ensure(5);
    this.#buffer[this.#at] = code;
    this.#at += 5;
    return this.#at - 4;
  }

  /** Fills in the length of a message, which counts itself. @param start the place of the length */
  #finish(start: number): void {
    this.#putInt32(start, this.#at - start);
  }

  #prefixed(text: string): void {
    this.#ensure(4);
    const start = this.#at;
    this.#at += 4;
    this.#text(text);
    this.#putInt32(start, this.#at - start - 4);
  }

  #text(text: string): void {
    const { length } = text;
    this.#ensure(length * BYTES_PER_UNIT);
    if (length <= SHORT && this.#ascii(text)) return;
    this.#at += this.#buffer.write(text, this.#at);
  }

  /** Writes a text of ASCII characters. @returns false when it has others; nothing is written then */
  #ascii(text: string): boolean {
    const buffer = this.#buffer;
    const at = this.#at;
    for (let index = 0; index < text.length; index += 1) {
      const code = text.charCodeAt(index);
      if (code > 0x7f) return false;
      buffer[at + index] = code;
    }
    this.#at = at + text.length;
    return true;
  }

  #int32(value: number): void {
    this.#ensure(4);
    this.#putInt32(this.#at, value);
    this.#at += 4;
  }

  #int16(value: number): void {
    this.#ensure(2);
    this.#buffer[this.#at] = value >>> 8;
    this.#buffer[this.#at + 1] = value;
    this.#at += 2;
  }

  #putInt32(at: number, value: number): void {
    const buffer = this.#buffer;
    buffer[at] = value >>> 24;
    buffer[at + 1] = value >>> 16;
    buffer[at + 2] = value >>> 8;
    buffer[at + 3] = value;
  }

  #zero(count: number): void {
    this.#ensure(count);
    this.#buffer.fill(0, this.#at, this.#at + count);
    this.#at += count;
  }

  #bytes(bytes: Buffer): void {
    this.#ensure(bytes.length);
    this.#buffer.set(bytes, this.#at);
    this.#at += bytes.length;
  }

  #ensure(count: number): void {
    const needed = this.#at + count;
    if (needed <= this.#buffer.length) return;
    const larger = Buffer.allocUnsafeSlow(Math.max(needed, 2 * this.#buffer.length));
    this.#buffer.copy(larger, 0, 0, this.#at);
    this.#buffer = larger;
  }
}

/** Returns the text that Postgres reads as the value of a parameter. @throws TypeError */
function textOf(value: string | readonly BoundValue[]): string {
  if (typeof value === 'string') return value;
  if (Array.isArray(value)) return arrayLiteral(value);
  throw new TypeError(`a parameter has a value of the type ${typeof value}`);
}

function arrayLiteral(list: readonly BoundValue[]): string {
  const elements = list.map((element) => {
    if (element === null) return 'NULL';
    if (typeof element === 'object') return arrayLiteral(element);
    return `"${element.replace(/["\\]/g, '\\$&')}"`;
  });
  return `{${elements.join(',')}}`;
}
