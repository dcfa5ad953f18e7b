import { type ByteString, decodeBytes } from '../db/requests/wire/message-reader.ts';

/** JSON as Postgres has sent it, so that a transport can send it on without decoding and encoding it. */
export class EncodedJson {
  /** The JSON in UTF-8. */
  readonly bytes: ByteString;

  constructor(bytes: ByteString) {
    this.bytes = bytes;
  }
}

/** The JSON text of an answer. */
export type AnswerText = string | EncodedJson;

/** Returns the text of an answer as a string. */
export function decodeAnswer(text: AnswerText): string {
  return typeof text === 'string' ? text : decodeBytes(text.bytes);
}
