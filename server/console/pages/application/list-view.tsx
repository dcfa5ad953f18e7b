import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { ReadOnlyNote } from '../shell/act-button.tsx';
import { Failure } from '../shell/failure.tsx';
import type { ScreenProps } from '../shell/screens.ts';
import { Acts } from './acts.tsx';
import type { List, Row } from './answers.ts';
import { RowTable } from './row-table.tsx';
import { useRows } from './use-rows.ts';

interface ListViewProps {
  readonly section: string;
  readonly list: List;
  /** The row to which the list belongs. */
  readonly of: Row | undefined;
  /** The lists that belong to one row of this list. */
  readonly lists: readonly List[];
  readonly show: (list: string, row?: Row) => void;
  /** Whether the heading takes the focus, because the control that led to the list is gone. */
  readonly takesFocus: boolean;
  readonly props: ScreenProps;
}

/** A list with its search, its filter, its rows, and the acts on chosen rows. */
export function ListView({ section, list, of, lists, show, takesFocus, props }: ListViewProps) {
  const { place, go, session, onSignedOut } = props;
  const [search, setSearch] = useState('');
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const [done, setDone] = useState('');
  const filter = list.filter?.names.find((name) => name === place.values.filter);
  const named = { section, list: list.name, of: of?.key };
  const { rows, more, isWaiting, error, reload } = useRows(
    { ...named, search, filter },
    onSignedOut,
  );
  const heading = useRef<HTMLHeadingElement>(null);
  useLayoutEffect(() => {
    if (takesFocus) heading.current?.focus();
  }, []);
  const reset = () => {
    setChosen(new Set());
    reload();
  };
  const choose = (key: string) => {
    const next = new Set(chosen);
    if (!next.delete(key)) next.add(key);
    setChosen(next);
  };
  return (
    <section aria-labelledby="list">
      <h2 id="list" ref={heading} tabIndex={-1}>
        {of ? `${list.title} of ${of.cells[0]}` : list.title}
      </h2>
      <p class="quiet">{list.description}</p>
      {list.of !== undefined && (
        <p>
          <button type="button" onClick={() => show(list.of ?? '')}>
            Back to the list
          </button>
        </p>
      )}
      {(list.search ?? list.filter) && (
        <form
          class="filters"
          onSubmit={(event) => {
            event.preventDefault();
            const given = new FormData(event.currentTarget).get('search');
            setChosen(new Set());
            setSearch(String(given ?? '').trim());
          }}
        >
          {list.search && (
            <label>
              {list.search}
              <input type="search" name="search" maxLength={200} autoComplete="off" />
            </label>
          )}
          {list.search && <button type="submit">Search</button>}
          {list.filter && (
            <label>
              {list.filter.title}
              <select
                value={filter ?? ''}
                onChange={({ currentTarget: { value } }) =>
                  go({
                    screen: 'application',
                    values: { section, list: list.name, filter: value },
                  })
                }
              >
                <option value="">all</option>
                {list.filter.names.map((name) => (
                  <option key={name}>{name}</option>
                ))}
              </select>
            </label>
          )}
        </form>
      )}
      {list.acts.length > 0 && (
        <>
          <ReadOnlyNote session={session} />
          <Acts
            {...{ named, session, onSignedOut }}
            acts={list.acts}
            keys={[...chosen]}
            onDone={(words) => {
              setDone(words);
              reset();
            }}
          />
        </>
      )}
      <p role="status">{done}</p>
      {rows.length > 0 && (
        <RowTable
          {...{ list, rows, lists, show }}
          {...(list.acts.length > 0 && { choice: { chosen, choose } })}
        />
      )}
      {error !== undefined && <Failure error={error} retry={more ?? reload} />}
      {isWaiting && rows.length === 0 && <p class="waiting">Reading the list…</p>}
      {!isWaiting && error === undefined && rows.length === 0 && <p>{list.empty}</p>}
      {more && (
        <button type="button" onClick={more}>
          {isWaiting ? 'Reading…' : 'Show more'}
        </button>
      )}
    </section>
  );
}
