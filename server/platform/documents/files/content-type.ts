import { open } from 'node:fs/promises';
import { fileTypeFromBuffer } from 'file-type';

/** What a file is, by what it holds. */
export interface ContentType {
  /** A media type without parameters. */
  readonly contentType: string;
  /** Without a dot; absent where none says more. */
  readonly extension: string | undefined;
}

/** Enough for every format that says what it is at its beginning, and a bound for all others. */
const sampleBytes = 64 * 1024;

const unknown: ContentType = { contentType: 'application/octet-stream', extension: 'bin' };

/** For text, of which bytes do not say what it is. */
const textExtensions: Readonly<Record<string, string>> = {
  'text/plain': 'txt',
  'text/csv': 'csv',
  'text/markdown': 'md',
  'application/json': 'json',
};

/**
 * Goes by the bytes. What the sender declares counts for text alone, and only where it says which kind of text: a file
 * that is an image as well as something else is an image.
 */
export async function contentTypeOf(localFile: string, declared: string): Promise<ContentType> {
  const sample = await readSample(localFile);
  const found = await fileTypeFromBuffer(sample);
  if (found) return tidied(found.mime, found.ext);
  if (!isText(sample)) return unknown;
  const contentType = isTextType(declared) ? declared : 'text/plain';
  return { contentType, extension: textExtensions[contentType] };
}

async function readSample(localFile: string): Promise<Uint8Array> {
  const file = await open(localFile);
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(sampleBytes), 0, sampleBytes, 0);
    return buffer.subarray(0, bytesRead);
  } finally {
    await file.close();
  }
}

/** Some types have parameters or capitals, which the platform's table does not take. */
function tidied(mime: string, extension: string): ContentType {
  const [plain = ''] = mime.toLowerCase().split(';');
  if (!isMediaType(plain)) return unknown;
  const last = extension.toLowerCase().split('.').at(-1) ?? '';
  return { contentType: plain, extension: /^[a-z0-9]{1,10}$/.test(last) ? last : undefined };
}

function isMediaType(text: string): boolean {
  return text.length <= 127 && /^[a-z0-9.+-]+\/[a-z0-9.+-]+$/.test(text);
}

function isTextType(type: string): boolean {
  if (!isMediaType(type)) return false;
  return /^text\//.test(type) || /^(application|image)\/([a-z0-9.+-]+\+)?(json|xml)$/.test(type);
}

/** Holds no control characters but those of text. */
function isText(sample: Uint8Array): boolean {
  return sample.every(
    (byte) => (byte >= 0x20 && byte !== 0x7f) || [0x09, 0x0a, 0x0c, 0x0d].includes(byte),
  );
}
