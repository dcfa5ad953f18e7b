import {
  isCollection,
  isMap,
  isSeq,
  LineCounter,
  type ParsedNode,
  parseDocument,
  visit,
  type YAMLSeq,
} from 'yaml';
import type { Fix } from './find-fixes.ts';

/** A replaced part of a text. Offsets count UTF-16 units. */
export interface TextEdit {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** The edits of one file, and the fixes that could not be made without losing something. */
export interface EditedText {
  readonly text: string;
  readonly edits: readonly TextEdit[];
  readonly done: readonly Fix[];
  readonly skipped: readonly { readonly fix: Fix; readonly reason: string }[];
}

const commentReason = 'a comment stands in the part that would change';

/** Makes the fixes of one file. Everything outside the changed nodes stays as it is, with comments and formatting. */
export function editText(before: string, fixes: readonly Fix[]): EditedText {
  const lines = new LineCounter();
  const document = parseDocument(before, { lineCounter: lines, uniqueKeys: false });
  const nodes = nodesByStart(document.contents);
  const edits: TextEdit[] = [];
  const done: Fix[] = [];
  const skipped: EditedText['skipped'][number][] = [];
  for (const fix of fixes) {
    const start = (lines.lineStarts[fix.position.line - 1] ?? 0) + fix.position.column - 1;
    const found = nodes.get(start);
    const edit = found && makeEdit(before, found, fix);
    if (edit && !hasComment(before.slice(edit.start, edit.end))) {
      edits.push(edit);
      done.push(fix);
    } else skipped.push({ fix, reason: edit ? commentReason : 'its place was not found' });
  }
  return { text: withEdits(before, edits), edits, done, skipped };
}

interface FoundNode {
  readonly node: ParsedNode;
  /** The list that holds the node; undefined for the value of a key. */
  readonly list: YAMLSeq.Parsed | undefined;
}

/** Returns the outermost value or item that begins at each offset. */
function nodesByStart(root: unknown): ReadonlyMap<number, FoundNode> {
  const found = new Map<number, FoundNode>();
  visit(root as ParsedNode, {
    Node(key, node, path) {
      const [start] = (node as ParsedNode).range;
      if (key === 'key' || found.has(start)) return;
      const parent = path.at(-1);
      const list = isSeq(parent) ? (parent as YAMLSeq.Parsed) : undefined;
      found.set(start, { node: node as ParsedNode, list });
    },
  });
  return found;
}

function makeEdit(before: string, { node, list }: FoundNode, { text }: Fix): TextEdit | undefined {
  if (text === undefined) return list && removal(before, node, list);
  const start = node.range[0];
  const end = endOf(node);
  // A block below its key moves up into the line of the key.
  const above = isCollection(node) && !node.flow ? /:(\s+)$/u.exec(before.slice(0, start)) : null;
  return above?.[1]
    ? { start: start - above[1].length, end, text: ` ${text}` }
    : { start, end, text };
}

/** Returns the end of the last character of a node. The range of a block would include the lines below it. */
function endOf(node: ParsedNode): number {
  if (!isCollection(node) || node.flow) return node.range[1];
  const last = node.items.at(-1);
  const inner = isMap(node) ? (last as { key: ParsedNode; value: ParsedNode | null }) : last;
  if (!inner) return node.range[1];
  return endOf(
    'value' in inner && 'key' in inner ? (inner.value ?? inner.key) : (inner as ParsedNode),
  );
}

/** Removes an item that is not the first of its list. */
function removal(before: string, node: ParsedNode, list: YAMLSeq.Parsed): TextEdit | undefined {
  const previous = list.items[list.items.indexOf(node) - 1];
  if (!previous) return undefined;
  if (list.flow) return { start: previous.range[1], end: node.range[1], text: '' };
  const start = before.lastIndexOf('\n', node.range[0] - 1) + 1;
  const newLine = before.indexOf('\n', node.range[1]);
  return { start, end: newLine < 0 ? before.length : newLine + 1, text: '' };
}

/** A `#` in a quoted text also counts. Such a node is left to a person. */
function hasComment(text: string): boolean {
  return /(^|\s)#/u.test(text);
}

export function withEdits(before: string, edits: readonly TextEdit[]): string {
  return edits
    .toSorted((a, b) => b.start - a.start)
    .reduce(
      (text, { start, end, text: now }) => text.slice(0, start) + now + text.slice(end),
      before,
    );
}
