import type { Group } from './flow.ts';
import type { Align, Sheet, Tag } from './sheet.ts';
import { page } from './style.ts';
import { heightOf, type Line } from './text-lines.ts';

/** Lines in a box of their own, beside others. */
export interface Cell {
  readonly tag: Tag;
  readonly lines: readonly Line[];
  readonly left: number;
  readonly width: number;
  readonly align: Align;
}

export interface RowOptions {
  readonly gap?: number;
  /** Room above and below the lines. */
  readonly padding?: number;
  readonly attached?: boolean;
  readonly head?: NonNullable<Group['head']>;
  /** Drawn before the lines, e.g. a ground; of this height. */
  readonly ground?: (top: number, height: number) => void;
}

/** Cells side by side, on one page; what is taller than a page goes on, line by line, on the next. */
export function rowGroups(sheet: Sheet, cells: readonly Cell[], options: RowOptions = {}): Group[] {
  const { gap = 0, padding = 0, attached = false, head, ground } = options;
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
        if (ground) sheet.artifact('Layout', () => ground(top, height));
        for (const { tag, lines, left, width, align } of part) {
          if (lines.length === 0) continue;
          sheet.mark(tag, () => sheet.lines(lines, left, top + padding, width, align));
        }
      },
    };
  });
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

function dividedLines(lines: readonly Line[], room: number): (readonly Line[])[] {
  const parts: Line[][] = [];
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
