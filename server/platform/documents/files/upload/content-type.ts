import { open } from 'node:fs/promises';
import { fileTypeFromBuffer } from 'file-type';

/** The type of a file, detected from its contents. */
export interface ContentType {
  /** A media type without parameters. */
  readonly contentType: string;
  /** The extension without a dot; absent when the original extension is suitable. */
  readonly extension: string | undefined;
}

/**
 * The number of bytes at the beginning of a file that are examined. The signatures of all detected formats are within
 * this range.
 */
const sampleBytes = 64 * 1024;

const unknown: ContentType = { contentType: 'application/octet-stream', extension: 'bin' };

/** Text types, which cannot be detected from bytes. */
const textExtensions: Readonly<Record<string, string>> = {
  'text/plain': 'txt',
  'text/csv': 'csv',
  'text/markdown': 'md',
  'application/json': 'json',
};

/**
 * Detects the type from the bytes. The sender's declaration counts only for text files, to select the kind of text. A
 * file that is valid as an image and in another format counts as an image.
 */
export async function contentTypeOf(localFile: string, declared: string): Promise<ContentType> {
  const sample = await readSample(localFile);
  const found = await fileTypeFromBuffer(sample);
  if (found) return normalized(found.mime, found.ext);
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

/** Removes parameters and upper case, which the platform's table refuses. */
function normalized(mime: string, extension: string): ContentType {
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

/** Returns true when the bytes contain no control characters except tab, line feed, form feed and carriage return. */
function isText(sample: Uint8Array): boolean {
  return sample.every(
    (byte) => (byte >= 0x20 && byte !== 0x7f) || [0x09, 0x0a, 0x0c, 0x0d].includes(byte),
  );
}
