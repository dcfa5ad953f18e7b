import { useRef, useState } from 'preact/hooks';
import { askServer } from '../api/ask-server.ts';
import type { Event } from '../api/work-answers.ts';
import { ActButton } from '../shell/act-button.tsx';
import { Confirm } from '../shell/confirm.tsx';
import { Details } from '../shell/details.tsx';
import { Failure } from '../shell/failure.tsx';
import { Link } from '../shell/link.tsx';
import type { ScreenProps } from '../shell/screens.ts';
import { useAnswer } from '../shell/use-answer.ts';
import { indentJson, stateWords, timeWords } from './words.ts';

interface DetailsProps extends Pick<ScreenProps, 'go' | 'session' | 'onSignedOut'> {
  readonly id: string;
  readonly close: () => void;
  /** Loads the list again. */
  readonly reload: () => void;
}

/** One event with its data and every try to deliver it. */
export function EventDetails({ id, close, reload, go, session, onSignedOut }: DetailsProps) {
  const [isAsking, setAsking] = useState(false);
  const ask = () => askServer<Event>('/admin/events/show', { id });
  const [asked, retry] = useAnswer(id, ask, onSignedOut);
  const isDone = useRef(false);
  const act = async () => {
    await askServer('/admin/events/redeliver', { id });
    isDone.current = true;
  };
  // The details load again only after the dialog, which is a part of them, has closed.
  const closeDialog = () => {
    setAsking(false);
    if (!isDone.current) return;
    isDone.current = false;
    retry();
    reload();
  };
  if (asked.state !== 'answered') {
    return (
      <Details title="Event" close={close}>
        {asked.state === 'failed' ? (
          <Failure error={asked.error} retry={retry} />
        ) : (
          <p role="status">Reading the event…</p>
        )}
      </Details>
    );
  }
  const event = asked.answer;
  const isOver = event.state === 'dead' || event.state === 'delivered';
  return (
    <Details title={`Event of ${event.trigger}`} close={close}>
      <Facts event={event} />
      {isOver && (
        <p>
          <ActButton session={session} onClick={() => setAsking(true)}>
            Redeliver this event…
          </ActButton>
        </p>
      )}
      <p>
        <Link
          go={go}
          place={{ screen: 'events', values: { part: 'deliveries', trigger: event.trigger } }}
        >
          All events of the trigger
        </Link>{' '}
        ·{' '}
        <Link go={go} place={{ screen: 'events', values: {} }}>
          All triggers, to pause this one
        </Link>
      </p>
      <Attempts event={event} />
      <h3>Data</h3>
      <pre>{indentJson(event.data)}</pre>
      <h3>Session variables</h3>
      <pre>{JSON.stringify(event.sessionVariables, null, 2)}</pre>
      <p class="quiet">Your look at this event was recorded, because it shows data of a row.</p>
      {isAsking && (
        <Confirm
          title="Redeliver this event?"
          action="Redeliver the event"
          close={closeDialog}
          {...{ act, onSignedOut }}
        >
          <p>
            The receiver of {event.trigger} gets it again under the same id. This cannot be undone:
            a receiver that does not recognise the id acts twice.
          </p>
        </Confirm>
      )}
    </Details>
  );
}

function Facts({ event }: { readonly event: Event }) {
  const { id, op, table, createdAt, state, deliveredAt, deadAt, reason, orderKey } = event;
  return (
    <ul>
      <li>
        {op} on {table}, {timeWords(createdAt)}
      </li>
      <li>
        {stateWords[state]}
        {deliveredAt !== null && ` ${timeWords(deliveredAt)}`}
        {deadAt !== null && ` ${timeWords(deadAt)}: ${reason}`}
      </li>
      {orderKey !== null && <li>in order with the other events of the key {orderKey}</li>}
      <li>
        id <code>{id}</code>
      </li>
    </ul>
  );
}

function Attempts({ event: { attempts } }: { readonly event: Event }) {
  if (attempts.length === 0) return <p>No delivery was tried yet.</p>;
  return (
    <>
      <h3>Tries</h3>
      <ol class="tries">
        {attempts.map(({ number, at, status, durationMs, excerpt, error }) => (
          <li key={number} value={number}>
            {status === null ? 'no answer' : `status ${status}`} after {durationMs} ms,{' '}
            {timeWords(at)}
            {error !== null && <p class="problem">{error}</p>}
            {excerpt !== null && <pre>{excerpt}</pre>}
          </li>
        ))}
      </ol>
    </>
  );
}
