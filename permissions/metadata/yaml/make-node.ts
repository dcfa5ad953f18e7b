import { isMap, isScalar, isSeq, type ParsedNode, type YAMLMap } from 'yaml';
import type { Position, Report } from '../../diagnostics.ts';
import { quote, unsafeCharacterIn } from '../../text/characters.ts';
import type { RawEntry, RawNode } from './node.ts';

/** Numbers that YAML and Postgres read alike. The pattern excludes hexadecimal and octal numbers, infinity and NaN. */
const decimal = /^[-+]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[-+]?\d+)?$/iu;

type At = (offset: number) => Position;

/** Converts a parsed YAML node to a value with positions. Reports mistakes that the YAML parser accepts. */
export function makeNode(node: ParsedNode, at: At, report: Report): RawNode {
  const position = at(node.range[0]);
  if (isMap(node)) return { kind: 'map', entries: makeEntries(node, at, report), position };
  if (isSeq(node)) {
    // The parser represents a missing item as an empty scalar, so an item is never null.
    const items = node.items.map((item) => makeNode(item as ParsedNode, at, report));
    return { kind: 'list', items, position };
  }
  return makeScalar(node, position, report);
}

function makeScalar(node: ParsedNode, position: Position, report: Report): RawNode {
  const value: unknown = isScalar(node) ? node.value : undefined;
  const source = isScalar(node) ? (node.source ?? '') : '';
  if (typeof value === 'string' || typeof value === 'boolean' || value === null) {
    return { kind: 'scalar', value, source, position };
  }
  if (typeof value === 'number' && decimal.test(source)) {
    return { kind: 'scalar', value, source, position };
  }
  const hint = 'write a decimal number, or quote it where it is text';
  report.error('RG_SHAPE', position, `the number ${quote(source)} is not decimal`, hint);
  return { kind: 'scalar', value: source, source, position };
}

function makeEntries(map: YAMLMap.Parsed, at: At, report: Report): readonly RawEntry[] {
  const entries = new Map<string, RawEntry>();
  for (const pair of map.items) {
    const keyPosition = at(pair.key.range[0]);
    const key = readKey(pair.key, keyPosition, report);
    if (key === undefined) continue;
    const first = entries.get(key);
    if (first) {
      const hint = `it is written first in line ${first.keyPosition.line}`;
      report.error('RG_DUPLICATE_KEY', keyPosition, `the key ${quote(key)} is written twice`, hint);
      continue;
    }
    entries.set(key, { key, keyPosition, value: makeValue(pair.value, keyPosition, at, report) });
  }
  return [...entries.values()];
}

/** Converts the value of a key. A missing value gets the position of its key, so that messages can name a position. */
function makeValue(value: ParsedNode | null, key: Position, at: At, report: Report): RawNode {
  const empty = value === null || value.range[0] === value.range[1];
  if (empty) return { kind: 'scalar', value: null, source: '', position: key };
  return makeNode(value, at, report);
}

function readKey(key: ParsedNode, position: Position, report: Report): string | undefined {
  const value: unknown = isScalar(key) ? key.value : undefined;
  if (typeof value !== 'string') {
    const source = isScalar(key) ? (key.source ?? '') : '';
    const what = isScalar(key)
      ? source === ''
        ? 'a key is empty'
        : `the key ${source} is not text`
      : 'a map or list cannot be a key';
    report.error('RG_SHAPE', position, what, 'write it in quotes');
    return undefined;
  }
  return isUsableKey(value, position, report) ? value : undefined;
}

/** Returns whether a text can be a key of a metadata file. Reports an invalid key. */
export function isUsableKey(key: string, position: Position, report: Report): boolean {
  const character = unsafeCharacterIn(key);
  if (!character && key !== '') return true;
  const what = character
    ? `the key ${quote(key)} holds the character ${character}`
    : 'a key is empty';
  report.error('RG_SHAPE', position, what, 'use another name');
  return false;
}
