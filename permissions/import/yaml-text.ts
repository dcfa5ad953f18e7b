import { Document, Pair, Scalar, type ScalarTag, YAMLMap, YAMLSeq } from 'yaml';
import { type Plain, type PlainMap, Verbatim } from './hasura/imported.ts';

/** Maximum length of a value on one line, in characters. */
const longestLine = 90;

/** A YAML tag that makes the writer print a Verbatim value unchanged. */
const verbatimTag: ScalarTag = {
  tag: 'tag:yaml.org,2002:verbatim',
  default: true,
  identify: (value) => value instanceof Verbatim,
  resolve: (text) => text,
  stringify: ({ value }) => (value as Verbatim).source,
};

/** A comment for the key at a path, e.g. `['permissions', 'editor']`. */
export interface Comment {
  readonly path: readonly string[];
  readonly text: string;
}

/**
 * Writes a map as a YAML file that Rowgate reads back unchanged. Short values stay on one line, and longer values start
 * below their key. Names are quoted when YAML or a reader could misread them.
 */
export function yamlText(map: PlainMap, comments: readonly Comment[] = []): string {
  const contents = mapNode(map, []);
  for (const comment of comments) addComment(contents, comment);
  return textOf(contents);
}

/** Writes a map in braces, on one line. */
export function yamlLine(map: PlainMap): string {
  return textOf(mapNode(map, undefined)).trimEnd();
}

function textOf(contents: YAMLMap<Key, unknown>): string {
  const document = new Document(undefined, {
    version: '1.2',
    customTags: (tags) => [verbatimTag, ...tags],
  });
  document.contents = contents as unknown as typeof document.contents;
  return document.toString({ lineWidth: 0, singleQuote: true });
}

type Key = Scalar<string | Verbatim>;

/** Keys that lead to a value from the top of the file; undefined inside a value that stays on one line. */
type Path = readonly string[] | undefined;

function mapNode(map: PlainMap, path: Path): YAMLMap<Key, unknown> {
  const node = new YAMLMap<Key, unknown>();
  node.flow = path === undefined || map.size === 0;
  for (const [key, value] of map) {
    node.items.push(new Pair(keyNode(key), valueNode(value, path && [...path, key])));
  }
  return node;
}

function valueNode(value: Plain, path: Path): Scalar | YAMLMap | YAMLSeq {
  const below = path && staysOpen(path, value) ? path : undefined;
  if (value instanceof Map) return mapNode(value, below);
  if (Array.isArray(value)) return listNode(value, below);
  if (typeof value !== 'string') return new Scalar(value);
  if (!path || !isBlock(value)) return new Scalar(safeText(value));
  const block = new Scalar(value);
  block.type = Scalar.BLOCK_LITERAL;
  return block;
}

/**
 * Returns whether a text is written as a block: it has several lines, and no invisible characters that would need
 * escapes.
 */
function isBlock(text: string): boolean {
  return text.includes('\n') && !/[\p{C}\p{Zl}\p{Zp}]/u.test(text.replaceAll('\n', ''));
}

function listNode(list: readonly Plain[], path: Path): YAMLSeq {
  const node = new YAMLSeq();
  node.flow = path === undefined || list.length === 0;
  node.items = list.map((item) => valueNode(item, path));
  return node;
}

/**
 * Returns whether a map is written with one line per entry although it is short. That holds for the sections of a file
 * and for roles, but not for their content.
 */
function staysOpen(path: readonly string[], value: Plain): boolean {
  const deepest = ['permissions', 'actions', 'custom_types'].includes(path[0] ?? '') ? 2 : 1;
  return path.length <= deepest || lineLength(value) > longestLine;
}

function keyNode(key: string): Key {
  // YAML would read an unquoted << as a merge key, which Rowgate refuses.
  return new Scalar(key === '<<' ? new Verbatim('"<<"') : safeText(key));
}

/** Writes a text with invisible characters as a quoted text with escapes, as in JSON, so that readers can see them. */
function safeText(text: string): string | Verbatim {
  if (!/[\p{C}\p{Zl}\p{Zp}]/u.test(text)) return text;
  const escaped = JSON.stringify(text).replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, (character) =>
    Array.from({ length: character.length }, (_, index) => codeUnit(character, index)).join(''),
  );
  return new Verbatim(escaped);
}

function codeUnit(character: string, index: number): string {
  return `\\u${character.charCodeAt(index).toString(16).padStart(4, '0')}`;
}

function lineLength(value: Plain): number {
  if (value instanceof Map)
    return [...value].reduce((sum, [key, item]) => sum + key.length + 4 + lineLength(item), 2);
  if (Array.isArray(value)) return value.reduce((sum, item) => sum + 2 + lineLength(item), 2);
  if (typeof value === 'string' && isBlock(value)) return Number.POSITIVE_INFINITY;
  return value instanceof Verbatim ? value.source.length : String(value).length;
}

function addComment(root: YAMLMap<Key, unknown>, { path, text }: Comment): void {
  let node: unknown = root;
  let pair: Pair<Key, unknown> | undefined;
  for (const key of path) {
    if (!(node instanceof YAMLMap)) return;
    pair = (node as YAMLMap<Key, unknown>).items.find((item) => item.key.value === key);
    node = pair?.value;
  }
  const lines = text.split('\n').map((line) => line.replace(/[\p{C}\p{Zl}\p{Zp}]+/gu, ' ').trim());
  const shown = lines.filter((line) => line !== '').map((line) => ` ${line}`);
  if (pair && shown.length > 0) pair.key.commentBefore = shown.join('\n');
}
