import { type TextEdit, withEdits } from './edit-text.ts';

/** The lines of context before and after a change. */
const context = 3;

/** A range of lines that changes, counted from 0, without its end. */
interface Hunk {
  readonly from: number;
  readonly to: number;
  readonly edits: readonly TextEdit[];
}

/** Returns the edits of a file as a unified diff, which `patch -p1` and `git apply` take. */
export function unifiedDiff(
  path: string,
  before: string,
  edits: readonly TextEdit[],
): readonly string[] {
  const starts = lineStarts(before);
  let shift = 0;
  const hunks = hunksOf(before, edits, starts).flatMap((hunk) => {
    const { lines, old, now } = printHunk(before, hunk, starts);
    const header = `@@ -${hunk.from + 1},${old} +${hunk.from + 1 + shift},${now} @@`;
    shift += now - old;
    return [header, ...lines];
  });
  return [`--- a/${path}`, `+++ b/${path}`, ...hunks];
}

/** Returns the offsets at which lines begin, and the end of the text. */
function lineStarts(text: string): readonly number[] {
  const starts = [0];
  for (let i = text.indexOf('\n'); i >= 0; i = text.indexOf('\n', i + 1)) starts.push(i + 1);
  return starts.at(-1) === text.length ? starts : [...starts, text.length];
}

function hunksOf(
  before: string,
  edits: readonly TextEdit[],
  starts: readonly number[],
): readonly Hunk[] {
  const lineOf = (offset: number) => starts.findLastIndex((start) => start <= offset);
  const count = starts.length - 1;
  const hunks: Hunk[] = [];
  for (const edit of edits.toSorted((a, b) => a.start - b.start)) {
    const last = before[edit.end - 1] === '\n' ? edit.end - 1 : edit.end;
    const from = Math.max(0, lineOf(edit.start) - context);
    const to = Math.min(count, lineOf(Math.min(last, before.length - 1)) + 1 + context);
    const previous = hunks.at(-1);
    if (previous && from <= previous.to)
      hunks.splice(-1, 1, { from: previous.from, to, edits: [...previous.edits, edit] });
    else hunks.push({ from, to, edits: [edit] });
  }
  return hunks;
}

function printHunk(before: string, { from, to, edits }: Hunk, starts: readonly number[]) {
  const [start = 0, end = before.length] = [starts[from], starts[to]];
  const shifted = edits.map((edit) => ({
    ...{ start: edit.start - start, end: edit.end - start, text: edit.text },
  }));
  const part = before.slice(start, end);
  const [old, now] = [linesOf(part), linesOf(withEdits(part, shifted))];
  return { lines: printLines(old, now), old: old.length, now: now.length };
}

function linesOf(text: string): readonly string[] {
  const end = text.endsWith('\n') ? '' : '\n\\ No newline at end of file';
  const lines = text.replace(/\n$/u, '').split('\n');
  return lines.map((line, place) => (place === lines.length - 1 ? line + end : line));
}

/** Prints lines with the common beginning and end as context. Unchanged lines between changes are printed on both sides. */
function printLines(old: readonly string[], now: readonly string[]): readonly string[] {
  const most = Math.min(old.length, now.length);
  let head = 0;
  while (head < most && old[head] === now[head]) head += 1;
  let tail = 0;
  while (tail < most - head && old.at(-1 - tail) === now.at(-1 - tail)) tail += 1;
  const marked = (mark: string, lines: readonly string[]) => lines.map((line) => `${mark}${line}`);
  return [
    ...marked(' ', old.slice(0, head)),
    ...marked('-', old.slice(head, old.length - tail)),
    ...marked('+', now.slice(head, now.length - tail)),
    ...marked(' ', old.slice(old.length - tail)),
  ];
}
