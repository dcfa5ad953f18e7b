import type { List, Row } from './answers.ts';

interface RowTableProps {
  readonly list: List;
  readonly rows: readonly Row[];
  /** Lets rows be chosen for acts. */
  readonly choice?: {
    readonly chosen: ReadonlySet<string>;
    readonly choose: (key: string) => void;
  };
  /** The lists that belong to one row, and a function that shows one of them. */
  readonly lists?: readonly List[];
  readonly show?: (list: string, row: Row) => void;
}

/** The rows of a list. On narrow screens each row is a card, with the titles of the columns before its texts. */
export function RowTable({ list, rows, choice, lists = [], show }: RowTableProps) {
  return (
    <table class="list">
      <thead>
        <tr>
          {choice && (
            <td>
              <span class="hidden">Chosen</span>
            </td>
          )}
          {list.columns.map(({ title }) => (
            <th key={title} scope="col">
              {title}
            </th>
          ))}
          {lists.map(({ name, title }) => (
            <td key={name}>
              <span class="hidden">{title}</span>
            </td>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr key={row.key}>
            {choice && (
              <td class="choose" data-title="Choose">
                <input
                  type="checkbox"
                  aria-label={`Choose ${row.cells[0]}`}
                  checked={choice.chosen.has(row.key)}
                  onChange={() => choice.choose(row.key)}
                />
              </td>
            )}
            {list.columns.map(({ title, kind }, index) => (
              <td key={title} data-title={title}>
                <Cell kind={kind} text={row.cells[index] ?? null} />
              </td>
            ))}
            {lists.map(({ name, title }) => (
              <td key={name}>
                <button type="button" onClick={() => show?.(name, row)}>
                  {title}
                  <span class="hidden"> of {row.cells[0]}</span>
                </button>
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

interface CellProps {
  readonly kind: List['columns'][number]['kind'];
  readonly text: string | null;
}

function Cell({ kind, text }: CellProps) {
  if (text === null || text === '') return <span class="nothing">none</span>;
  if (kind === 'code') return <code>{text}</code>;
  if (kind === 'time') return <time dateTime={text}>{wordsForTime(text)}</time>;
  return text;
}

/** Shortens a time in ISO 8601 and UTC to seconds. */
function wordsForTime(text: string): string {
  return `${text.slice(0, 19).replace('T', ' ')} UTC`;
}
