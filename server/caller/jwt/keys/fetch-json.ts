import { type JsonObject, readJsonObject } from '../json-object.ts';

const maxBytes = 256 * 1024;

/** A fetched JSON object, with the headers of its answer. */
export interface FetchedJson {
  readonly json: JsonObject;
  readonly headers: Headers;
}

/** Fetches a JSON object of at most 256 KiB. Rejects with an Error whose message names the problem. */
export async function fetchJson(url: string, signal: AbortSignal): Promise<JsonObject> {
  return (await fetchJsonAnswer(url, signal)).json;
}

/** Like `fetchJson`, with the headers of the answer. */
export async function fetchJsonAnswer(url: string, signal: AbortSignal): Promise<FetchedJson> {
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
  const json = readJsonObject(await readBytes(url, response));
  if (!json) throw new Error(`${url} does not answer with a JSON object`);
  return { json, headers: response.headers };
}

/** Reads a body of at most 256 KiB. The limit applies to the size after decompression. */
export async function readBytes(url: string, response: Response): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response.body ?? []) {
    size += chunk.byteLength;
    if (size > maxBytes) throw new Error(`${url} answers with more than ${maxBytes} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
