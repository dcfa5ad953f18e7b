import type { Group } from './flow.ts';
import type { Align, Sheet, Tag } from './sheet.ts';
import { page } from './style.ts';
import { heightOf, type Line } from './text-lines.ts';

/** A line with the tag that it belongs to. */
export interface TaggedLine extends Line {
  readonly tag: Tag;
}

/** A box of lines in a row. */
export interface Cell {
  readonly lines: readonly TaggedLine[];
  readonly left: number;
  readonly width: number;
  readonly align: Align;
}

export interface RowOptions {
  readonly gap?: number;
  /** The space above and below the lines. */
  readonly padding?: number;
  readonly attached?: boolean;
  readonly head?: NonNullable<Group['head']>;
  /** Draws the background of the row, before its lines. */
  readonly background?: (top: number, height: number) => void;
}

/** Lays out cells side by side. A row that is taller than a page continues on the next page. */
export function rowGroups(sheet: Sheet, cells: readonly Cell[], options: RowOptions = {}): Group[] {
  const { gap = 0, padding = 0, attached = false, head, background } = options;
  const room = page.bottom - page.nextTop - (head?.height ?? 0) - 2 * padding;
  const parts = dividedRow(cells, room);
  return parts.map((part, index) => {
    const height = tallest(part) + 2 * padding;
    return {
      height,
      gap: index === 0 ? gap : 0,
      attached: attached && index === parts.length - 1,
      ...(head && { head }),
      draw(top) {
        if (background) sheet.artifact('Layout', () => background(top, height));
        for (const cell of part) drawCell(sheet, cell, top + padding);
      },
    };
  });
}

/** Assigns lines to a tag. */
export function tagged(tag: Tag, lines: readonly Line[]): readonly TaggedLine[] {
  return lines.map((line) => ({ ...line, tag }));
}

function drawCell(sheet: Sheet, { lines, left, width, align }: Cell, top: number): void {
  let at = top;
  for (let start = 0, end = 0; start < lines.length; start = end) {
    const tag = lines[start]?.tag as Tag;
    while (lines[end]?.tag === tag) end += 1;
    const own = lines.slice(start, end);
    sheet.mark(tag, () => sheet.lines(own, left, at, width, align));
    at += heightOf(own);
  }
}

function tallest(cells: readonly Cell[]): number {
  return Math.max(0, ...cells.map(({ lines }) => heightOf(lines)));
}

function dividedRow(cells: readonly Cell[], room: number): (readonly Cell[])[] {
  if (tallest(cells) <= room) return [cells];
  const columns = cells.map(({ lines }) => dividedLines(lines, room));
  const count = Math.max(...columns.map(({ length }) => length));
  return Array.from({ length: count }, (_, index) =>
    cells.map((cell, column) => ({ ...cell, lines: columns[column]?.[index] ?? [] })),
  );
}

function dividedLines(lines: readonly TaggedLine[], room: number): (readonly TaggedLine[])[] {
  const parts: TaggedLine[][] = [];
  let height = Number.POSITIVE_INFINITY;
  for (const line of lines) {
    if (height + line.style.leading > room) {
      parts.push([]);
      height = 0;
    }
    parts.at(-1)?.push(line);
    height += line.style.leading;
  }
  return parts;
}
