import type { JsonObject } from '../verify/json-object.ts';
import { readJsonObject } from '../verify/json-object.ts';

const mostBytes = 256 * 1024;

/** Fetches a JSON object of moderate size from exactly this address. Rejects with an Error that says what was wrong. */
export async function fetchJson(url: string, signal: AbortSignal): Promise<JsonObject> {
  const response = await fetch(url, {
    headers: { accept: 'application/json' },
    // The address is what was configured, or what the provider said of itself; no third party is asked.
    redirect: 'error',
    signal,
  });
  if (!response.ok) {
    await response.body?.cancel();
    throw new Error(`${url} answers with status ${response.status}`);
  }
  const value = readJsonObject(await readBytes(url, response));
  if (!value) throw new Error(`${url} answers with something else than a JSON object`);
  return value;
}

/** As many as there are after decompression. */
async function readBytes(url: string, response: Response): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response.body ?? []) {
    size += chunk.byteLength;
    if (size > mostBytes) throw new Error(`${url} answers with more than ${mostBytes} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
