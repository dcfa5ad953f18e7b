/** UTF-8 as a string with one character for each byte. Node copies such a string to a socket without encoding it. */
export type ByteString = string & { readonly brand: 'ByteString' };

/** Receives the frequent messages that answer a flight. */
export interface FlightReceiver {
  onParsed(): void;
  /** @param bytes valid only during the call; they contain a DataRow message from `start` */
  onRow(bytes: Buffer, start: number): void;
  onCompleted(): void;
}

const PARSE_COMPLETE = 0x31;
const BIND_COMPLETE = 0x32;
const COMMAND_COMPLETE = 0x43;
const DATA_ROW = 0x44;

/** One byte for the kind of a message and four for its length, which counts itself. */
const HEADER = 5;

/** A buffer that has grown beyond this size is not used again. */
const MAX_KEPT_BYTES = 256 * 1024;
const empty = Buffer.alloc(0);

/**
 * Divides the bytes from Postgres into messages, gives the frequent messages of a flight to its receiver and passes all
 * other messages to pg. pg makes an object and an event of each message, and decodes the rows of an answer, which this
 * server sends on unchanged.
 */
export class MessageReader {
  /** The receiver of the running flight. */
  receiver: FlightReceiver | undefined;
  readonly #pass: (messages: Buffer) => void;
  /** Begins with the bytes of a message whose rest has not arrived. */
  #buffer = empty;
  #held = 0;
  #needed = 0;

  /** @param pass takes whole messages for pg, which may keep them */
  constructor(pass: (messages: Buffer) => void) {
    this.#pass = (messages) => pass(Buffer.from(messages));
  }

  /** @param chunk valid only during the call */
  read(chunk: Buffer): void {
    if (this.#held === 0) this.#readMessages(chunk);
    else {
      this.#append(chunk);
      if (this.#held >= this.#needed) this.#readHeld();
    }
  }

  #readHeld(): void {
    const bytes = this.#buffer.subarray(0, this.#held);
    this.#held = 0;
    if (bytes.length > MAX_KEPT_BYTES) this.#buffer = empty;
    this.#readMessages(bytes);
  }

  #readMessages(bytes: Buffer): void {
    const { length } = bytes;
    let passed = 0;
    let at = 0;
    let needed = HEADER;
    while (length - at >= HEADER) {
      needed = 1 + bytes.readUInt32BE(at + 1);
      if (length - at < needed) break;
      const code = bytes[at];
      if (this.receiver && isFrequent(code)) {
        if (passed < at) this.#pass(bytes.subarray(passed, at));
        passed = at;
        // The messages that were passed on may have ended the flight.
        if (this.receiver) {
          give(this.receiver, code, bytes, at + HEADER);
          passed = at + needed;
        }
      }
      at += needed;
      needed = HEADER;
    }
    if (passed < at) this.#pass(bytes.subarray(passed, at));
    if (at === length) return;
    this.#needed = needed;
    this.#append(bytes.subarray(at));
  }

  #append(bytes: Buffer): void {
    const held = this.#held + bytes.length;
    if (held > this.#buffer.length) {
      const larger = Buffer.allocUnsafeSlow(Math.max(held, this.#needed, 2 * this.#buffer.length));
      this.#buffer.copy(larger, 0, 0, this.#held);
      this.#buffer = larger;
    }
    bytes.copy(this.#buffer, this.#held);
    this.#held = held;
  }
}

function isFrequent(code: number | undefined): boolean {
  return (
    code === BIND_COMPLETE ||
    code === DATA_ROW ||
    code === COMMAND_COMPLETE ||
    code === PARSE_COMPLETE
  );
}

function give(
  receiver: FlightReceiver,
  code: number | undefined,
  bytes: Buffer,
  start: number,
): void {
  if (code === DATA_ROW) receiver.onRow(bytes, start);
  else if (code === COMMAND_COMPLETE) receiver.onCompleted();
  else if (code === PARSE_COMPLETE) receiver.onParsed();
}

/** Reads a DataRow message as byte strings. */
export function byteRow(bytes: Buffer, start: number): readonly (ByteString | null)[] {
  return rowOf(bytes, start, 'latin1') as readonly (ByteString | null)[];
}

/** Reads a DataRow message as texts. */
export function textRow(bytes: Buffer, start: number): readonly (string | null)[] {
  return rowOf(bytes, start, 'utf8');
}

/** A row consists of the number of its values, then each with its length, which is -1 for null. */
function rowOf(bytes: Buffer, start: number, encoding: 'latin1' | 'utf8') {
  const row: (string | null)[] = [];
  let at = start + 2;
  for (let left = bytes.readUInt16BE(start); left > 0; left -= 1) {
    const length = bytes.readInt32BE(at);
    at += 4;
    row.push(length < 0 ? null : bytes.toString(encoding, at, at + length));
    if (length > 0) at += length;
  }
  return row;
}

/** Decodes UTF-8. */
export function decodeBytes(text: ByteString): string {
  return Buffer.from(text, 'latin1').toString();
}

/** Encodes a text as Postgres would send it. */
export function encodeBytes(text: string): ByteString {
  return Buffer.from(text).toString('latin1') as ByteString;
}
