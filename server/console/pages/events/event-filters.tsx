import { askServer } from '../api/ask-server.ts';
import type { Triggers } from '../api/work-answers.ts';
import { dayAgo, type TimeRange } from '../shell/days.ts';
import type { Values } from '../shell/place.ts';
import { useAnswer } from '../shell/use-answer.ts';
import { type Filter, instantOf, localOf } from './filter.ts';
import { stateWords } from './words.ts';

interface FiltersProps {
  readonly filter: Filter;
  /** Sets some values of the address. */
  readonly set: (values: Values) => void;
  readonly onSignedOut: () => void;
}

const hourAgo = (): TimeRange => ({
  since: new Date(Date.now() - 3_600_000).toISOString(),
  until: undefined,
});

const presets: readonly (readonly [string, () => TimeRange])[] = [
  ['Last hour', hourAgo],
  ['Today', () => dayAgo(0)],
  ['Yesterday', () => dayAgo(1)],
  ['Any time', () => ({ since: undefined, until: undefined })],
];

/** The fields that choose events. */
export function EventFilters({ filter, set, onSignedOut }: FiltersProps) {
  const { trigger = '', state = '', status = '', since, until } = filter;
  const ask = () => askServer<Triggers>('/admin/events/triggers');
  const [asked] = useAnswer('', ask, onSignedOut);
  const known = asked.state === 'answered' ? asked.answer.triggers.map(({ name }) => name) : [];
  return (
    <form class="filters" aria-label="Filters" onSubmit={(event) => event.preventDefault()}>
      <label>
        Trigger
        <select
          value={trigger}
          onChange={({ currentTarget }) => set({ trigger: currentTarget.value })}
        >
          <option value="">all</option>
          {[...new Set([...known, trigger])].filter(Boolean).map((name) => (
            <option key={name}>{name}</option>
          ))}
        </select>
      </label>
      <label>
        State
        <select value={state} onChange={({ currentTarget }) => set({ state: currentTarget.value })}>
          <option value="">all</option>
          {Object.entries(stateWords).map(([name, words]) => (
            <option key={name} value={name}>
              {words}
            </option>
          ))}
        </select>
      </label>
      <label>
        Last answer
        <input
          list="statuses"
          value={status}
          placeholder="status, or none"
          pattern="[1-5][0-9][0-9]|none"
          onChange={({ currentTarget }) =>
            currentTarget.reportValidity() && set({ status: currentTarget.value })
          }
        />
        <datalist id="statuses">
          {['none', '400', '401', '404', '429', '500', '502', '503', '504'].map((one) => (
            <option key={one} value={one} />
          ))}
        </datalist>
      </label>
      <label>
        Recorded from
        <input
          type="datetime-local"
          value={localOf(since)}
          onChange={({ currentTarget }) => set({ since: instantOf(currentTarget.value) })}
        />
      </label>
      <label>
        until
        <input
          type="datetime-local"
          value={localOf(until)}
          onChange={({ currentTarget }) => set({ until: instantOf(currentTarget.value) })}
        />
      </label>
      <fieldset class="presets">
        <legend>Time</legend>
        {presets.map(([title, range]) => (
          <button key={title} type="button" onClick={() => set({ ...range() })}>
            {title}
          </button>
        ))}
      </fieldset>
    </form>
  );
}
