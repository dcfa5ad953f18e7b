import { useState } from 'preact/hooks';
import { askServer } from '../api/ask-server.ts';
import type { EventCount } from '../api/work-answers.ts';
import { ActButton } from '../shell/act-button.tsx';
import { Confirm } from '../shell/confirm.tsx';
import { Failure } from '../shell/failure.tsx';
import type { ScreenProps } from '../shell/screens.ts';
import type { Asked } from '../shell/use-answer.ts';
import { type Filter, filterWords } from './filter.ts';
import { counted as countedWords } from './words.ts';

interface RedeliverManyProps extends Pick<ScreenProps, 'session' | 'onSignedOut'> {
  readonly filter: Filter;
  readonly counted: Asked<EventCount>;
  /** Loads the list and the count again. */
  readonly reload: () => void;
}

/** How many events match, and the button that delivers all of them again. */
export function RedeliverMany({ filter, counted, reload, ...props }: RedeliverManyProps) {
  const [isAsking, setAsking] = useState(false);
  const [done, setDone] = useState('');
  if (counted.state === 'failed') return <Failure error={counted.error} retry={reload} />;
  const answer = counted.state === 'answered' ? counted.answer : undefined;
  const isOver = filter.state === 'dead' || filter.state === 'delivered';
  const count = answer?.count ?? 0;
  const act = async () => {
    const sent = await askServer<{ readonly count: number }>('/admin/events/redeliver-many', {
      ...filter,
      count,
    });
    setDone(`${countedWords(sent.count, 'event')} will be delivered again.`);
    reload();
  };
  return (
    <div class="work-acts">
      <p role="status">
        {done} {answer && matching(answer)}
      </p>
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
