import { type Entry, type Operation, operations } from '../api/answers.ts';
import { columnCount, extrasOf, originOf } from '../words/entry-words.ts';
import type { Difference } from './compare.ts';
import type { CellRules } from './rules.ts';

/** The rules of one role on one table, as marks: a capital letter for all rows and columns, a small one for some. */
export function Marks({ rules }: { readonly rules: CellRules }) {
  if (rules.size === 0) return <span class="nothing">nothing</span>;
  return (
    <span class="marks">
      {operations.map((operation) => {
        const entry = rules.get(operation);
        return (
          <abbr key={operation} class={classOf(entry)} title={titleOf(operation, entry)}>
            {markOf(operation, entry)}
          </abbr>
        );
      })}
    </span>
  );
}

function markOf(operation: Operation, entry: Entry | undefined): string {
  if (!entry) return '–';
  const letter = operation.charAt(0);
  return `${entry.isWhole ? letter.toUpperCase() : letter}${entry.from.length > 0 ? '^' : ''}`;
}

function classOf(entry: Entry | undefined): string {
  if (!entry) return 'nothing';
  return entry.isWhole ? 'whole' : 'part';
}

function titleOf(operation: Operation, entry: Entry | undefined): string {
  return entry ? `${operation}: ${entry.rows} ${originOf(entry.from)}` : `no ${operation}`;
}

/** One rule: its columns, its rows in words, and what else it allows or sets. */
export function RuleCell({
  entry,
  ofTable,
}: {
  readonly entry: Entry | undefined;
  /** The number of columns of the table. */
  readonly ofTable: number;
}) {
  if (!entry) return <span class="nothing">nothing</span>;
  const more = [originOf(entry.from), ...extrasOf(entry)].filter(Boolean).join(' · ');
  return (
    <span class="rule-cell" title={`${entry.rows}. ${more}`}>
      <strong class={entry.isWhole ? 'whole' : ''}>{columnCount(entry, ofTable)}</strong>
      <span>{entry.rows}</span>
      {more !== '' && <em>{more}</em>}
    </span>
  );
}

/** The differences between two roles on one table, one line for each operation. */
export function DifferenceCell({ found }: { readonly found: readonly Difference[] }) {
  const lines = found.map(({ operation, words }) => `${operation}: ${words.join('; ')}`);
  return (
    <span class="difference" title={lines.join('\n')}>
      {lines.map((line) => (
        <span key={line}>{line}</span>
      ))}
    </span>
  );
}
