import { useState } from 'preact/hooks';
import type { SeenRow, SeenRows, TableFacts } from '../api/answers.ts';
import { askServer } from '../api/ask-server.ts';
import { Failure } from '../shell/failure.tsx';
import { Link } from '../shell/link.tsx';
import type { Go } from '../shell/place.ts';
import { useAnswer } from '../shell/use-answer.ts';
import { RowDetails } from './row-details.tsx';
import { type AsMemory, placeOf, type Subject, type Texts, wordsOf } from './subject.ts';
import { TryForm } from './try-form.tsx';
import { Value } from './value.tsx';

interface RowsOfProps {
  readonly subject: Subject;
  readonly table: string;
  readonly memory: AsMemory;
  readonly withHidden: boolean;
  readonly go: Go;
  readonly onSignedOut: () => void;
}

/** A page of the rows of a table, and the row that was opened beside it. */
export function RowsOf({ subject, table, memory, withHidden, go, onSignedOut }: RowsOfProps) {
  const { role, variables } = subject;
  const { match = {}, after = {}, row } = memory;
  const question = { role, sessionVariables: variables, table, match, after, withHidden };
  const [asked, retry] = useAnswer(
    JSON.stringify(question),
    () =>
      Promise.all([
        askServer<TableFacts>(`/admin/as/table?${new URLSearchParams({ role, table })}`),
        askServer<SeenRows>('/admin/as/rows', question),
      ]),
    onSignedOut,
  );
  if (asked.state === 'waiting') return <p class="waiting">Reading the rows…</p>;
  if (asked.state === 'failed') return <Failure error={asked.error} retry={retry} />;
  const [facts, page] = asked.answer;
  const view = { table, withHidden, match, after };
  const chosen = row && page.rows.find(({ key }) => JSON.stringify(key) === JSON.stringify(row));
  const close = () => {
    go(placeOf(subject, view), 'replace');
    document.querySelector<HTMLElement>('.as-rows')?.focus();
  };
  return (
    <>
      <h2>{headingOf(table, match)}</h2>
      <Tools {...{ subject, facts, go, withHidden, match, onSignedOut }} />
      <p role="status">{countOf(page, role, facts)}</p>
      <div class={chosen ? 'beside' : ''}>
        {page.rows.length > 0 && (
          <RowTable
            {...{ facts, chosen }}
            rows={page.rows}
            open={({ key }) => go(placeOf(subject, { ...view, row: key }))}
          />
        )}
        {chosen && (
          <RowDetails
            {...{ subject, facts, go, close, onSignedOut }}
            key={JSON.stringify(chosen.key)}
            row={chosen}
          />
        )}
      </div>
      <Pages {...{ subject, view, go, page }} />
    </>
  );
}

function headingOf(table: string, match: Texts): string {
  return Object.keys(match).length === 0 ? table : `${table} where ${wordsOf(match)}`;
}

function countOf({ rows, hasMore }: SeenRows, role: string, facts: TableFacts): string {
  const seen = rows.filter(({ isSeen }) => isSeen).length;
  if (!facts.operations.includes('select')) {
    return `${role} has no rule to read this table, so Postgres shows it no row.`;
  }
  if (rows.length === 0) {
    return `${role} sees no such row. Show the rows that it does not see, and open one to ask why.`;
  }
  const hidden = rows.length > seen ? `, and does not see ${rows.length - seen}` : '';
  return `${role} sees ${seen} ${seen === 1 ? 'row' : 'rows'} on this page${hidden}${hasMore ? '; more follow' : ''}.`;
}

interface ToolsProps extends Pick<RowsOfProps, 'subject' | 'withHidden' | 'go' | 'onSignedOut'> {
  readonly facts: TableFacts;
  readonly match: Texts;
}

/** Shows hidden rows, finds a row by its key, and tries an insert. */
function Tools({ subject, facts, go, withHidden, match, onSignedOut }: ToolsProps) {
  const [isInserting, setInserting] = useState(false);
  const { key: table, primaryKey } = facts;
  const find = (event: SubmitEvent) => {
    event.preventDefault();
    const given = new FormData(event.currentTarget as HTMLFormElement);
    const key = Object.fromEntries(
      primaryKey.map((name) => [name, String(given.get(name) ?? '')] as const),
    );
    go(placeOf(subject, { table, withHidden: true, match: key, row: key }));
  };
  if (primaryKey.length === 0) {
    return (
      <p class="quiet">
        The table has no primary key, so only the first rows that the role sees are shown.
      </p>
    );
  }
  return (
    <>
      <form class="filters as-caller" onSubmit={find}>
        {primaryKey.map((name) => (
          <label key={name}>
            Row with {name}
            <input name={name} required autoComplete="off" />
          </label>
        ))}
        <button type="submit">Find the row</button>
        <button
          type="button"
          aria-pressed={withHidden}
          onClick={() => go(placeOf(subject, { table, match, withHidden: !withHidden }))}
        >
          Show rows that the role does not see
        </button>
        <button
          type="button"
          aria-expanded={isInserting}
          onClick={() => setInserting(!isInserting)}
        >
          Try an insert
        </button>
      </form>
      {isInserting && (
        <section class="card" aria-label="Try an insert">
          <TryForm {...{ subject, facts, onSignedOut }} operation="insert" />
        </section>
      )}
    </>
  );
}

interface RowTableProps {
  readonly facts: TableFacts;
  readonly rows: readonly SeenRow[];
  readonly chosen: SeenRow | undefined;
  readonly open: (row: SeenRow) => void;
}

const notes = {
  'all rows': '',
  'some rows': '⊘ in some rows',
  'no row': '⊘ not in the rule',
} as const;

function RowTable({ facts, rows, chosen, open }: RowTableProps) {
  const { columns, primaryKey } = facts;
  return (
    // biome-ignore lint/a11y/useSemanticElements: a section cannot be scrolled by the keyboard without a tab stop
    // biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard scrolls the table
    <div class="as-rows" role="region" aria-label={`Rows of ${facts.key}`} tabIndex={0}>
      <table>
        <thead>
          <tr>
            {primaryKey.length > 0 && <th scope="col">row</th>}
            {columns.map(({ name, type, shown }) => (
              <th key={name} scope="col">
                {name} <small>{type}</small>
                {shown !== 'all rows' && <small>{notes[shown]}</small>}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, index) => (
            <tr key={index} aria-current={row === chosen}>
              {primaryKey.length > 0 && (
                <td>
                  <button type="button" onClick={() => open(row)}>
                    Open<span class="hidden"> the row {wordsOf(row.key)}</span>
                  </button>
                  {!row.isSeen && <span class="as-hidden"> ⊘ not seen</span>}
                </td>
              )}
              {columns.map(({ name }, column) => (
                <td key={name}>
                  <Value row={row} column={column} />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

interface PagesProps extends Pick<RowsOfProps, 'subject' | 'go'> {
  readonly view: Required<Pick<AsMemory, 'match' | 'after'>> & {
    readonly table: string;
    readonly withHidden: boolean;
  };
  readonly page: SeenRows;
}

function Pages({ subject, view, go, page: { rows, hasMore } }: PagesProps) {
  const last = rows.at(-1)?.key ?? {};
  const { after: _, ...first } = view;
  return (
    <p class="as-pages">
      {Object.keys(view.after).length > 0 && (
        <Link go={go} place={placeOf(subject, first)}>
          First rows
        </Link>
      )}
      {hasMore && Object.keys(last).length > 0 && (
        <Link go={go} place={placeOf(subject, { ...first, after: last })}>
          Next rows
        </Link>
      )}
    </p>
  );
}
