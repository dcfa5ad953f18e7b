import { askServer } from '../api/ask-server.ts';
import type { EventCount, Events, ListedEvent } from '../api/work-answers.ts';
import { Link } from '../shell/link.tsx';
import type { Values } from '../shell/place.ts';
import type { ScreenProps } from '../shell/screens.ts';
import { useAnswer } from '../shell/use-answer.ts';
import { usePages } from '../shell/use-pages.ts';
import { EventDetails } from './event-details.tsx';
import { EventFilters } from './event-filters.tsx';
import { filterOf } from './filter.ts';
import { More } from './more.tsx';
import { RedeliverMany } from './redeliver-many.tsx';
import { stateWords, timeWords } from './words.ts';

/** The events of a filter, and the details of one. */
export function Deliveries(props: ScreenProps) {
  const { place, go, onSignedOut } = props;
  const { values } = place;
  const filter = filterOf(values);
  const set = (changed: Values, how: 'push' | 'replace' = 'replace') =>
    go({ screen: 'events', values: { ...values, ...changed } }, how);
  const key = JSON.stringify(filter);
  const pages = usePages(key, (before) => load(filter, before), onSignedOut);
  const [counted, countAgain] = useAnswer(
    key,
    () => askServer<EventCount>(`/admin/events/count?${new URLSearchParams(filter)}`),
    onSignedOut,
  );
  const reload = () => {
    pages.reload();
    countAgain();
  };
  const close = () => {
    const { event } = values;
    set({ event: undefined });
    document.getElementById(`event-${event}`)?.focus();
  };
  return (
    <>
      <EventFilters
        {...{ filter, onSignedOut }}
        set={(changed) => set({ ...changed, event: undefined })}
      />
      <RedeliverMany
        {...props}
        {...{ filter, counted, reload }}
        redelivered={() => {
          set({ event: undefined });
          reload();
        }}
      />
      <div class={values.event ? 'beside' : ''}>
        <div>
          {pages.items.length > 0 && (
            <EventTable events={pages.items} {...{ go, values }} chosen={values.event} />
          )}
          <More
            pages={pages}
            empty="No event matches. Choose another state or a longer time; finished events are kept for ROWGATE_EVENT_RETENTION_DAYS."
          />
        </div>
        {values.event && (
          <EventDetails key={values.event} {...props} id={values.event} {...{ close, reload }} />
        )}
      </div>
    </>
  );
}

async function load(filter: Readonly<Record<string, string>>, before: string | undefined) {
  const query = new URLSearchParams({ ...filter, ...(before !== undefined && { before }) });
  const { events, next } = await askServer<Events>(`/admin/events?${query}`);
  return { items: events, next };
}

interface TableProps extends Pick<ScreenProps, 'go'> {
  readonly events: readonly ListedEvent[];
  readonly values: Values;
  readonly chosen: string | undefined;
}

function EventTable({ events, go, values, chosen }: TableProps) {
  return (
    <div class="scroll">
      <table class="work">
        <caption class="hidden">Events, the newest first</caption>
        <thead>
          <tr>
            <th scope="col">Recorded</th>
            <th scope="col">Trigger</th>
            <th scope="col" class="less">
              Change
            </th>
            <th scope="col">State</th>
            <th scope="col" class="less">
              Tries
            </th>
            <th scope="col" class="less">
              Last answer
            </th>
          </tr>
        </thead>
        <tbody>
          {events.map(({ id, createdAt, trigger, table, op, state, tries, status }) => (
            <tr key={id} class={id === chosen ? 'chosen' : ''}>
              <th scope="row">
                <Link
                  id={`event-${id}`}
                  place={{ screen: 'events', values: { ...values, event: id } }}
                  go={go}
                  isCurrent={id === chosen}
                >
                  {timeWords(createdAt)}
                </Link>
              </th>
              <td class="long">{trigger}</td>
              <td class="less">
                {op} {table}
              </td>
              <td>{stateWords[state]}</td>
              <td class="less">{tries}</td>
              <td class="less">{status ?? (tries === 0 ? '–' : 'none')}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
