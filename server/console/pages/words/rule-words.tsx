import type { Entry, EntryColumn } from '../api/answers.ts';
import { columnCount, extrasOf, originOf } from './entry-words.ts';

/** A rule in words: rows, columns with their origin, and what else it allows or sets. */
export function RuleWords({ entry, ofTable }: { readonly entry: Entry; readonly ofTable: number }) {
  const { rows, columns, from, position } = entry;
  return (
    <>
      <p>{rows}</p>
      {extrasOf(entry).length > 0 && (
        <ul>
          {extrasOf(entry).map((words) => (
            <li key={words}>{words}</li>
          ))}
        </ul>
      )}
      <p class="quiet">
        {columnCount(entry, ofTable)}
        {from.length > 0 && `, inherited ${originOf(from)}`}
      </p>
      {columns.length > 0 && (
        <ul class="columns">
          {columns.map((column) => (
            <li key={column.name}>
              <code>{column.name}</code>
              {columnFacts(column, from)}
            </li>
          ))}
        </ul>
      )}
      <p class="quiet">
        {position.file}:{position.line}
      </p>
    </>
  );
}

/** Names the parents of a column only where they differ from those of the rule. */
function columnFacts({ rows, from }: EntryColumn, ofRule: readonly string[]): string {
  const facts = [
    ...(rows === undefined ? [] : [`in ${rows}`]),
    ...(from.length > 0 && from.length < ofRule.length ? [originOf(from)] : []),
  ];
  return facts.length > 0 ? ` (${facts.join('; ')})` : '';
}
