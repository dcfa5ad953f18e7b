import { useState } from 'preact/hooks';
import { askServer } from '../api/ask-server.ts';
import type { EventCount } from '../api/work-answers.ts';
import { ActButton } from '../shell/act-button.tsx';
import { Confirm } from '../shell/confirm.tsx';
import { Failure } from '../shell/failure.tsx';
import { Link } from '../shell/link.tsx';
import type { ScreenProps } from '../shell/screens.ts';
import type { Asked } from '../shell/use-answer.ts';
import { type Filter, filterWords } from './filter.ts';
import { counted as countedWords } from './words.ts';

interface RedeliverManyProps extends Pick<ScreenProps, 'go' | 'session' | 'onSignedOut'> {
  readonly filter: Filter;
  readonly counted: Asked<EventCount>;
  /** Loads the list and the count again. */
  readonly reload: () => void;
  /** Runs after a redelivery, and loads the list again without the details of an event, which are old by then. */
  readonly redelivered: () => void;
}

/** How many events match, and the button that delivers all of them again. */
export function RedeliverMany({
  filter,
  counted,
  reload,
  redelivered,
  ...props
}: RedeliverManyProps) {
  const [isAsking, setAsking] = useState(false);
  const [done, setDone] = useState<{ readonly words: string; readonly filter: Filter }>();
  if (counted.state === 'failed') return <Failure error={counted.error} retry={reload} />;
  const answer = counted.state === 'answered' ? counted.answer : undefined;
  const isOver = filter.state === 'dead' || filter.state === 'delivered';
  const count = answer?.count ?? 0;
  const act = async () => {
    const sent = await askServer<{ readonly count: number }>('/admin/events/redeliver-many', {
      ...filter,
      count,
    });
    const words = `${countedWords(sent.count, 'event')} will be delivered again.`;
    setDone({ words, filter: { ...filter, state: '' } });
    redelivered();
  };
  return (
    <div class="work-acts">
      <p role="status">
        {done?.words} {answer && matching(answer)}
      </p>
      {done && (
        <Link
          go={props.go}
          place={{ screen: 'events', values: { part: 'deliveries', ...done.filter } }}
        >
          Show the events in all states
        </Link>
      )}
      <button type="button" onClick={reload}>
        Load again
      </button>
      {isOver && answer?.isAll && count > 0 && (
        <ActButton session={props.session} onClick={() => setAsking(true)}>
          Redeliver {countedWords(count, 'event')}…
        </ActButton>
      )}
      {isOver && answer?.isAll === false && (
        <p class="quiet">
          These are too many to redeliver here. Choose a shorter time, or use{' '}
          <code>rowgate events redeliver</code>.
        </p>
      )}
      {!isOver && (
        <p class="quiet">To redeliver events, choose the state “given up” or “delivered”.</p>
      )}
      {isAsking && (
        <Confirm
          title={`Redeliver ${countedWords(count, 'event')}?`}
          action={`Redeliver ${countedWords(count, 'event')}`}
          act={act}
          close={() => setAsking(false)}
          onSignedOut={props.onSignedOut}
        >
          <p>Events: {filterWords(filter)}.</p>
          <p>
            Their receivers get them again under the same ids. This cannot be undone: a receiver
            that does not recognise an id acts twice. Events of paused triggers wait.
          </p>
          <p>If there are more by then, nothing is sent.</p>
        </Confirm>
      )}
    </div>
  );
}

function matching({ count, isAll }: EventCount): string {
  return `${isAll ? '' : 'More than '}${countedWords(count, 'event')} ${count === 1 ? 'matches' : 'match'}.`;
}
