import type { Position, Report } from '../../diagnostics.ts';
import { quote } from '../../text/characters.ts';
import { startOf } from '../files/file-failure.ts';
import { findOperationFiles } from '../files/find-operation-files.ts';
import type { AllowListFile } from '../schemas/allow-list.ts';
import type { RawName } from '../yaml/node.ts';
import { parseDocument } from './parse-document.ts';

/** A parsed document of allow_list.yaml. */
export interface RawListedDocument extends RawName {
  readonly text: string;
  /** Digest of the document, which is equal for documents with the same meaning, see `documentDigest`. */
  readonly digest: string;
}

/** allow_list.yaml with its documents, including those from other files. */
export interface RawAllowList extends Pick<AllowListFile, 'allow'> {
  readonly collections: readonly (RawName & { readonly documents: readonly RawListedDocument[] })[];
}

/** Returns the text of a file. Undefined if the file cannot be read, which is reported. */
export type TextOf = (path: string) => Promise<string | undefined>;

/** Where the files of the allow-list are, and how they are read. */
interface Files {
  readonly directory: string;
  readonly textOf: TextOf;
}

type RawCollection = AllowListFile['collections'][number];

/**
 * Reads and parses the documents of the allow-list. Reports invalid documents, and names that a collection uses twice.
 */
export async function readListedDocuments(
  { collections: raws, allow }: AllowListFile,
  files: Files,
  report: Report,
): Promise<RawAllowList> {
  const collections: RawAllowList['collections'][number][] = [];
  for (const raw of raws) {
    const sources = await sourcesOf(raw, files, report);
    refuseTwice(sources, raw, report);
    const documents: RawListedDocument[] = [];
    for (const source of sources) documents.push(...(await readDocument(source, report)));
    collections.push({ name: raw.name, position: raw.position, documents });
  }
  return { collections, allow };
}

/** A text that should be a GraphQL document. */
interface Source extends RawName {
  readonly text: string;
  /** Whether the text is a whole file. If so, a position in the text is also the position in the file. */
  readonly isFile: boolean;
}

async function sourcesOf(
  { operations, files }: RawCollection,
  { directory, textOf }: Files,
  report: Report,
): Promise<readonly Source[]> {
  const sources: Source[] = operations.map(({ name: { name }, query }) => {
    return { name, position: query.position, text: query.name, isFile: false };
  });
  for (const pattern of files) {
    for (const { name, path } of await findOperationFiles(pattern, directory, report)) {
      const text = await textOf(path);
      if (text !== undefined) sources.push({ name, position: startOf(path), text, isFile: true });
    }
  }
  return sources;
}

function refuseTwice(sources: readonly Source[], collection: RawName, report: Report): void {
  const seen = new Set<string>();
  for (const { name, position } of sources) {
    if (seen.has(name)) {
      const message = `the collection ${quote(collection.name)} has two operations called ${quote(name)}`;
      report.error('RG_ALLOW_LIST', position, message, 'give one of them another name');
    }
    seen.add(name);
  }
}

async function readDocument(source: Source, report: Report): Promise<readonly RawListedDocument[]> {
  const { name, text, position } = source;
  const parsed = await parseDocument(text);
  if (parsed.kind === 'document') return [{ name, text, digest: parsed.digest, position }];
  const { message, line, column } = parsed;
  const where = source.isFile ? '' : ` (line ${line}, column ${column} of it)`;
  report.error(
    'RG_ALLOW_LIST',
    placeIn(source, line, column),
    `the operation ${quote(name)} is no GraphQL document: ${message}${where}`,
  );
  return [];
}

function placeIn({ isFile, position }: Source, line: number, column: number): Position {
  return isFile ? { ...position, line, column } : position;
}
