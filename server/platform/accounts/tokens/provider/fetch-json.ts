import type { JsonObject } from '../verify/json-object.ts';
import { readJsonObject } from '../verify/json-object.ts';

const maxBytes = 256 * 1024;

/** Fetches a JSON object of at most 256 KiB. Rejects with an Error whose message names the problem. */
export async function fetchJson(url: string, signal: AbortSignal): Promise<JsonObject> {
  const response = await fetch(url, {
    headers: { accept: 'application/json' },
    // A redirect could lead to a server other than the configured one.
    redirect: 'error',
    signal,
  });
  if (!response.ok) {
    await response.body?.cancel();
    throw new Error(`${url} answers with status ${response.status}`);
  }
  const value = readJsonObject(await readBytes(url, response));
  if (!value) throw new Error(`${url} does not answer with a JSON object`);
  return value;
}

/** Reads the body. The limit applies to the size after decompression. */
async function readBytes(url: string, response: Response): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response.body ?? []) {
    size += chunk.byteLength;
    if (size > maxBytes) throw new Error(`${url} answers with more than ${maxBytes} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
