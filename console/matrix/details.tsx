import { useEffect, useRef } from 'preact/hooks';
import { type Entry, type EntryColumn, operations } from '../server/answers.ts';
import { Link } from '../shell/link.tsx';
import type { Go } from '../shell/place.ts';
import { type CellRules, columnCount, extrasOf, originOf } from './rules.ts';

interface DetailsProps {
  readonly role: string;
  readonly table: string;
  readonly rules: CellRules;
  /** The number of columns of the table. */
  readonly ofTable: number;
  readonly go: Go;
  readonly close: () => void;
}

/** The rules of one role on one table, in words. Escape closes them. */
export function Details({ role, table, rules, ofTable, go, close }: DetailsProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another cell moves the focus again
  useEffect(() => heading.current?.focus(), [role, table]);
  return (
    <section
      class="details"
      aria-labelledby="details"
      onKeyDown={({ key }) => key === 'Escape' && close()}
    >
      <button type="button" class="close" onClick={close}>
        Close
      </button>
      <h2 id="details" ref={heading} tabIndex={-1}>
        {role} on {table}
      </h2>
      {rules.size === 0 && (
        <p>The role has no rule on this table, so Postgres refuses everything.</p>
      )}
      {operations.map((operation) => {
        const entry = rules.get(operation);
        if (!entry) return null;
        return (
          <div key={operation}>
            <h3>{operation}</h3>
            <RuleWords entry={entry} ofTable={ofTable} />
            <p>
              <Link go={go} place={{ screen: 'rule', values: { role, table, operation } }}>
                Show the {operation} rule as SQL
              </Link>
            </p>
          </div>
        );
      })}
    </section>
  );
}

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
