import type { RawNode } from '../metadata/yaml/node.ts';
import type { LoadedModel } from '../model/load-model.ts';

/** A condition that a rule writes, with its text. */
export interface WrittenCondition {
  readonly node: RawNode;
  /** The condition in one form, whatever the order of its keys. */
  readonly text: string;
}

/** Returns the filters and checks that the files of tables write, without `{}` and names of filters. */
export function writtenConditions({ raw: { tables } }: LoadedModel): readonly WrittenCondition[] {
  const found: WrittenCondition[] = [];
  const add = (node: RawNode | undefined) => {
    if (node?.kind !== 'map' || node.entries.length === 0 || namesFilter(node)) return;
    found.push({ node, text: canonicalText(node) });
  };
  for (const { permissions } of tables)
    for (const { select, insert, update, delete: removal } of permissions) {
      add(select?.filter);
      add(insert?.check);
      add(update?.filter);
      add(update?.check);
      add(removal?.filter);
    }
  return found;
}

function namesFilter({ entries }: Extract<RawNode, { kind: 'map' }>): boolean {
  return entries.length === 1 && entries[0]?.key === '_filter';
}

/** Returns a condition in one form, whatever the order of its keys. */
export function canonicalText(node: RawNode): string {
  return textOf(node, (entries) => entries.toSorted());
}

/** Returns a condition in one form, with its keys in their order. */
export function orderedText(node: RawNode): string {
  return textOf(node, (entries) => entries);
}

type Arrange = (entries: readonly string[]) => readonly string[];

function textOf(node: RawNode, arrange: Arrange): string {
  if (node.kind === 'scalar')
    return typeof node.value === 'string' ? JSON.stringify(node.value) : node.source;
  if (node.kind === 'list') return `[${node.items.map((item) => textOf(item, arrange)).join(',')}]`;
  const entries = node.entries.map(
    ({ key, value }) => `${JSON.stringify(key)}:${textOf(value, arrange)}`,
  );
  return `{${(entries.length > 1 ? arrange(entries) : entries).join(',')}}`;
}

/** Returns a condition as one line of YAML, for messages. */
export function flowText(node: RawNode): string {
  if (node.kind === 'scalar') return node.source === '' ? 'null' : node.source;
  if (node.kind === 'list') return `[${node.items.map(flowText).join(', ')}]`;
  if (node.entries.length === 0) return '{}';
  return `{ ${node.entries.map(({ key, value }) => `${key}: ${flowText(value)}`).join(', ')} }`;
}

/**
 * Returns whether a condition, besides named filters, has at most one comparison, of a column of the row itself. A name
 * for it would not be clearer.
 */
export function isShort(node: RawNode): boolean {
  const comparisons = comparisonsIn(node, 0);
  return comparisons.length < 2 && comparisons.every((depth) => depth === 1);
}

/** Returns for each comparison how many columns and relationships lead to it. */
function comparisonsIn(node: RawNode, depth: number): readonly number[] {
  if (node.kind === 'list') return node.items.flatMap((item) => comparisonsIn(item, depth));
  if (node.kind === 'scalar') return [depth];
  return node.entries.flatMap(({ key, value }) => {
    if (key === '_filter') return [];
    if (lists.has(key)) return comparisonsIn(value, depth);
    return key.startsWith('_') && !tests.has(key) ? [depth] : comparisonsIn(value, depth + 1);
  });
}

/** The words of conditions that contain other conditions about the same row. */
const lists: ReadonlySet<string> = new Set(['_and', '_or', '_not']);
/** The words of conditions that lead to another table. */
const tests: ReadonlySet<string> = new Set(['_exists', '_table', '_where']);
