// biome-ignore-all lint/a11y/useSemanticElements: a table of HTML cannot leave out rows
// biome-ignore-all lint/a11y/useFocusableInteractive: only the cells of a grid take the focus
import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';

/** A cell by the indexes of its row and its column. */
export interface Cell {
  readonly row: number;
  readonly column: number;
}

interface GridProps {
  readonly label: string;
  /** The heads of rows and columns. */
  readonly rows: readonly string[];
  readonly columns: readonly ComponentChildren[];
  /** Head of the column with the heads of rows. */
  readonly corner: string;
  readonly rowHeight: number;
  /** The class of the grid, which sets the widths of its columns. */
  readonly kind: string;
  /** The cell whose rules are shown beside the grid. */
  readonly chosen: Cell | undefined;
  readonly choose: (cell: Cell) => void;
  readonly contentOf: (cell: Cell) => ComponentChildren;
}

/** Rows beyond the visible ones, so that quick scrolling shows no gap. */
const spareRows = 8;
/** The number of rows before the browser has measured the grid. */
const firstHeight = 800;

/** A grid that draws only the visible rows. Arrow keys move the focus, Enter chooses a cell. */
export function Grid(props: GridProps) {
  const { label, rows, columns, corner, rowHeight, kind, chosen, choose, contentOf } = props;
  const scroller = useRef<HTMLDivElement>(null);
  const [scroll, setScroll] = useState({ top: 0, height: firstHeight });
  const [active, setActive] = useState<Cell>({ row: 0, column: 0 });
  const movesFocus = useRef(false);
  const first = Math.max(0, Math.floor(scroll.top / rowHeight) - spareRows);
  const end = Math.min(
    rows.length,
    Math.ceil((scroll.top + scroll.height) / rowHeight) + spareRows,
  );
  const isDrawn = active.row >= first && active.row < end && active.column < columns.length;
  const stop = isDrawn ? active : { row: first, column: 0 };
  const measure = () => {
    const { scrollTop: top = 0, clientHeight: height = firstHeight } = scroller.current ?? {};
    setScroll((before) =>
      before.top === top && before.height === height ? before : { top, height },
    );
  };
  useLayoutEffect(() => {
    measure();
    const observer = new ResizeObserver(measure);
    if (scroller.current) observer.observe(scroller.current);
    return () => observer.disconnect();
  }, []);
  useLayoutEffect(() => {
    if (!movesFocus.current || !isDrawn) return;
    movesFocus.current = false;
    cellElement(scroller.current, active)?.focus();
  });
  const isChosenDrawn = chosen !== undefined && chosen.row >= first && chosen.row < end;
  useLayoutEffect(() => {
    if (!chosen) return;
    bringIntoView(scroller.current, chosen.row, rowHeight);
    measure();
    cellElement(scroller.current, chosen)?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  }, [chosen?.row, chosen?.column, isChosenDrawn]);
  const onKeyDown = (event: KeyboardEvent) => {
    const page = Math.max(1, Math.floor(scroll.height / rowHeight) - 2);
    const next = cellAfter(event, stop, { rows: rows.length, columns: columns.length, page });
    if (!next) return;
    event.preventDefault();
    movesFocus.current = true;
    setActive(next);
    bringIntoView(scroller.current, next.row, rowHeight);
    measure();
  };
  return (
    <div ref={scroller} class={`grid ${kind}`} onScroll={measure}>
      <div
        role="grid"
        aria-label={label}
        aria-rowcount={rows.length + 1}
        aria-colcount={columns.length + 1}
        onKeyDown={onKeyDown}
      >
        <div role="row" aria-rowindex={1} class="heads">
          <div role="columnheader" class="head corner">
            {corner}
          </div>
          {columns.map((head, column) => (
            <div key={column} role="columnheader" class="head">
              {head}
            </div>
          ))}
        </div>
        <div role="rowgroup" class="rows" style={{ height: `${rows.length * rowHeight}px` }}>
          {rows.slice(first, end).map((name, offset) => {
            const row = first + offset;
            return (
              <div
                key={name}
                role="row"
                aria-rowindex={row + 2}
                class="row"
                style={{ top: `${row * rowHeight}px`, height: `${rowHeight}px` }}
              >
                <div role="rowheader" class="head" title={name}>
                  <span>{name.replace(/^public\./, '')}</span>
                </div>
                {columns.map((_, column) => (
                  <div
                    key={column}
                    role="gridcell"
                    class="cell"
                    data-cell={`${row}-${column}`}
                    tabIndex={row === stop.row && column === stop.column ? 0 : -1}
                    aria-selected={row === chosen?.row && column === chosen.column}
                    onFocus={() => setActive({ row, column })}
                    onClick={() => choose({ row, column })}
                    onKeyDown={(event) => event.key === 'Enter' && choose({ row, column })}
                  >
                    {contentOf({ row, column })}
                  </div>
                ))}
              </div>
            );
          })}
        </div>
      </div>
    </div>
  );
}

interface Extent {
  readonly rows: number;
  readonly columns: number;
  /** The number of rows that fit on a screen. */
  readonly page: number;
}

/** Returns the cell to which a key moves; undefined for other keys. */
function cellAfter(
  { key, ctrlKey }: KeyboardEvent,
  { row, column }: Cell,
  { rows, columns, page }: Extent,
): Cell | undefined {
  const within = (value: number, count: number) => Math.min(Math.max(value, 0), count - 1);
  const to = (nextRow: number, nextColumn: number) => ({
    row: within(nextRow, rows),
    column: within(nextColumn, columns),
  });
  switch (key) {
    case 'ArrowDown':
      return to(row + 1, column);
    case 'ArrowUp':
      return to(row - 1, column);
    case 'ArrowRight':
      return to(row, column + 1);
    case 'ArrowLeft':
      return to(row, column - 1);
    case 'PageDown':
      return to(row + page, column);
    case 'PageUp':
      return to(row - page, column);
    case 'Home':
      return to(ctrlKey ? 0 : row, 0);
    case 'End':
      return to(ctrlKey ? rows - 1 : row, columns - 1);
    default:
      return undefined;
  }
}

function cellElement(scroller: HTMLElement | null, { row, column }: Cell): HTMLElement | null {
  return scroller?.querySelector(`[data-cell="${row}-${column}"]`) ?? null;
}

/** Scrolls a row below the heads, so that the window of drawn rows contains it. */
function bringIntoView(scroller: HTMLElement | null, row: number, rowHeight: number): void {
  if (!scroller) return;
  const heads = scroller.querySelector('.heads')?.clientHeight ?? 0;
  const top = row * rowHeight;
  const visible = scroller.clientHeight - heads - rowHeight;
  if (top < scroller.scrollTop) scroller.scrollTop = top;
  else if (top > scroller.scrollTop + visible) scroller.scrollTop = top - visible;
}
