/** An HTTP answer. */
export interface Answer {
  readonly status: number;
  readonly body: Buffer;
}

const HEAD_END = '\r\n\r\n';
const LINE_END = '\r\n';

/**
 * Reads one HTTP/1.1 answer from the bytes that have arrived so far. Returns undefined while bytes are missing.
 * @throws Error when the answer has neither a length nor chunks
 */
export function readAnswer(bytes: Buffer): Answer | undefined {
  const headEnd = bytes.indexOf(HEAD_END);
  if (headEnd < 0) return undefined;
  const head = bytes.toString('latin1', 0, headEnd);
  const start = headEnd + HEAD_END.length;
  const body = /\r\ntransfer-encoding: *chunked/i.test(head)
    ? readChunks(bytes, start)
    : readLength(bytes, start, head);
  return body && { status: Number(head.slice(9, 12)), body };
}

function readLength(bytes: Buffer, start: number, head: string): Buffer | undefined {
  const length = /\r\ncontent-length: *(\d+)/i.exec(head)?.[1];
  if (length === undefined) throw new Error(`an answer without a length:\n${head}`);
  const end = start + Number(length);
  return bytes.length < end ? undefined : bytes.subarray(start, end);
}

function readChunks(bytes: Buffer, start: number): Buffer | undefined {
  const chunks: Buffer[] = [];
  for (let at = start; ; ) {
    const lineEnd = bytes.indexOf(LINE_END, at);
    if (lineEnd < 0) return undefined;
    const size = Number.parseInt(bytes.toString('latin1', at, lineEnd), 16);
    const data = lineEnd + LINE_END.length;
    if (bytes.length < data + size + LINE_END.length) return undefined;
    if (size === 0) return Buffer.concat(chunks);
    chunks.push(bytes.subarray(data, data + size));
    at = data + size + LINE_END.length;
  }
}
