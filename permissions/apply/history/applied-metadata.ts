import { createHash } from 'node:crypto';
import { isDeepStrictEqual, promisify } from 'node:util';
import { gunzip, gzip } from 'node:zlib';
import type { CatalogData } from '../../catalog/types.ts';

/** The metadata files of an apply by their paths within the folder, and the catalog that they were resolved against. */
export interface AppliedMetadata {
  readonly files: Readonly<Record<string, string>>;
  readonly catalog: CatalogData;
}

/** Metadata files without keys. */
interface OpenFiles {
  readonly files: AppliedMetadata['files'];
  /** False if the section `authentication` could not be cut out of rowgate.yaml, so that this file is missing. */
  readonly isComplete: boolean;
}

/** Returns metadata files without the section `authentication` of rowgate.yaml, which may contain keys. */
export async function withoutKeys(files: AppliedMetadata['files']): Promise<OpenFiles> {
  const { 'rowgate.yaml': settings, ...rest } = files;
  if (settings === undefined) return { files, isComplete: true };
  const open = await withoutAuthentication(settings);
  return open === undefined
    ? { files: rest, isComplete: false }
    : { files: { ...rest, 'rowgate.yaml': open }, isComplete: true };
}

/** Returns the SHA-256 of the files, which identifies a version of the metadata. */
export function hashFiles(files: AppliedMetadata['files']): string {
  return createHash('sha256').update(JSON.stringify(files)).digest('hex');
}

export function packMetadata(applied: AppliedMetadata): Promise<Buffer> {
  return promisify(gzip)(JSON.stringify(applied), { level: 1 });
}

export async function unpackMetadata(source: Buffer): Promise<AppliedMetadata> {
  return JSON.parse((await promisify(gunzip)(source)).toString());
}

const section = 'authentication';

/**
 * Returns rowgate.yaml with empty lines in place of the section `authentication`. Other lines keep their numbers.
 * Undefined if the remaining text does not mean the same without the section.
 */
async function withoutAuthentication(text: string): Promise<string | undefined> {
  const { isMap, isScalar, parseDocument } = await import('yaml');
  const document = parseDocument(text);
  const { contents, errors } = document;
  if (errors.length > 0 || !isMap(contents)) return undefined;
  const starts = contents.items.map(({ key }) => (isScalar(key) ? key.range?.[0] : undefined));
  const at = contents.items.findIndex(({ key }) => isScalar(key) && key.value === section);
  if (at < 0) return text;
  const start = starts[at];
  // Comments behind the section may belong to it.
  const end = at + 1 < starts.length ? starts[at + 1] : text.length;
  if (start === undefined || end === undefined) return undefined;
  const lines = text.slice(start, end).replace(/[^\n]/g, '');
  const nothing = contents.items.length === 1 ? '{}' : '';
  const open = `${text.slice(0, start)}${nothing}${lines}${text.slice(end)}`;
  const { [section]: _, ...expected }: Record<string, unknown> = document.toJS();
  const found = parseDocument(open);
  return found.errors.length === 0 && isDeepStrictEqual(found.toJS(), expected) ? open : undefined;
}
