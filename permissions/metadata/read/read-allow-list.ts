import type { Position, Report } from '../../diagnostics.ts';
import { quote } from '../../text/characters.ts';
import { parseDocument } from '../documents/parse-document.ts';
import { startOf } from '../files/file-failure.ts';
import { findOperationFiles } from '../files/find-operation-files.ts';
import { readSource } from '../files/read-source.ts';
import type { RawAllowList, RawListedDocument } from '../raw.ts';
import type { RawEntry, RawName, RawNode } from '../yaml/node.ts';
import { entriesOf, fieldOf, itemsOf, keyOf, nameOf, requiredFieldOf } from '../yaml/raw-access.ts';

/** What is listed where there is no allow_list.yaml. */
export const nothingListed: RawAllowList = { collections: [], allow: [] };

/**
 * A valid allow_list.yaml, with the documents that it names files for. What is no document, and names that a
 * collection holds twice, are reported.
 */
export async function readAllowList(
  root: RawNode,
  directory: string,
  report: Report,
): Promise<RawAllowList> {
  const collections: RawAllowList['collections'][number][] = [];
  for (const entry of entriesOf(requiredFieldOf(root, 'collections'))) {
    const sources = await sourcesOf(entry, directory, report);
    refuseTwice(sources, entry, report);
    const documents: RawListedDocument[] = [];
    for (const source of sources) documents.push(...(await readDocument(source, report)));
    collections.push({ ...keyOf(entry), documents });
  }
  const allow = itemsOf(fieldOf(root, 'allow')).map((item) => {
    const roles = fieldOf(item, 'roles');
    return {
      collection: nameOf(requiredFieldOf(item, 'collection')),
      roles: roles && itemsOf(roles).map(nameOf),
    };
  });
  return { collections, allow };
}

/** A text that should be a document. */
interface Source extends RawName {
  readonly text: string;
  /** Whether the text is a file: places in it are places of the file then. */
  readonly isFile: boolean;
}

async function sourcesOf(
  { value }: RawEntry,
  directory: string,
  report: Report,
): Promise<readonly Source[]> {
  const sources: Source[] = itemsOf(fieldOf(value, 'operations')).map((item) => {
    const query = nameOf(requiredFieldOf(item, 'query'));
    const { name } = nameOf(requiredFieldOf(item, 'name'));
    return { name, position: query.position, text: query.name, isFile: false };
  });
  for (const pattern of itemsOf(fieldOf(value, 'files')).map(nameOf)) {
    for (const { name, path } of await findOperationFiles(pattern, directory, report)) {
      const text = await readSource(path, report);
      if (text !== undefined) sources.push({ name, position: startOf(path), text, isFile: true });
    }
  }
  return sources;
}

function refuseTwice(sources: readonly Source[], { key }: RawEntry, report: Report): void {
  const seen = new Set<string>();
  for (const { name, position } of sources) {
    if (seen.has(name)) {
      const message = `the collection ${quote(key)} has two operations called ${quote(name)}`;
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
