import { useState } from 'preact/hooks';
import { askServer } from '../api/ask-server.ts';
import type { Trigger, Triggers } from '../api/work-answers.ts';
import { ActButton } from '../shell/act-button.tsx';
import { Confirm } from '../shell/confirm.tsx';
import { dayAgo } from '../shell/days.ts';
import { Failure } from '../shell/failure.tsx';
import { Link } from '../shell/link.tsx';
import type { Values } from '../shell/place.ts';
import type { ScreenProps } from '../shell/screens.ts';
import { usePolled } from '../shell/use-polled.ts';
import { Lag } from './lag.tsx';
import { counted, durationWords, timeWords } from './words.ts';

const seconds = 15;

/** The event triggers with their unfinished and dead events, and how long events waited. */
export function TriggersView(props: ScreenProps) {
  const { go, onSignedOut } = props;
  const ask = () => askServer<Triggers>('/admin/events/triggers');
  const [asked, refresh] = usePolled('', ask, seconds, onSignedOut);
  if (asked.state === 'waiting') return <p class="waiting">Counting the events…</p>;
  if (asked.state === 'failed') return <Failure error={asked.error} retry={refresh} />;
  const { triggers, most } = asked.answer;
  const names = triggers.map(({ name }) => name);
  return (
    <>
      <p>
        <Link go={go} place={deliveries({ state: 'dead', ...dayAgo(1) })}>
          Events given up yesterday
        </Link>
        {' · '}
        <Link go={go} place={deliveries({ state: 'dead' })}>
          All events given up
        </Link>
      </p>
      {triggers.length === 0 ? (
        <p role="status">
          The metadata has no event trigger. Write one below <code>events</code> in the file of a
          table.
        </p>
      ) : (
        <TriggerTable {...props} triggers={triggers} refresh={refresh} />
      )}
      <p class="quiet">
        The counters cover the {most.toLocaleString()} oldest unfinished and the{' '}
        {most.toLocaleString()} newest given up events.
      </p>
      <Lag {...props} names={names} />
    </>
  );
}

const deliveries = (values: Values) => ({
  screen: 'events',
  values: { part: 'deliveries', ...values },
});

interface TableProps extends ScreenProps {
  readonly triggers: readonly Trigger[];
  readonly refresh: () => void;
}

function TriggerTable({ triggers, refresh, go, session, onSignedOut }: TableProps) {
  const [chosen, choose] = useState<Trigger>();
  return (
    <div class="scroll">
      <table class="work">
        <caption class="hidden">Event triggers</caption>
        <thead>
          <tr>
            <th scope="col">Trigger</th>
            <th scope="col" class="less">
              Table
            </th>
            <th scope="col">Unfinished</th>
            <th scope="col">Given up</th>
            <th scope="col" class="less">
              Oldest waits for
            </th>
            <th scope="col">Delivery</th>
          </tr>
        </thead>
        <tbody>
          {triggers.map((trigger) => (
            <tr key={trigger.name}>
              <th scope="row">
                <Link go={go} place={deliveries({ trigger: trigger.name })}>
                  {trigger.name}
                </Link>
              </th>
              <td class="less">{trigger.table ?? 'not in the metadata'}</td>
              <td>{unfinishedWords(trigger)}</td>
              <td>
                <DeadCount {...{ trigger, go }} />
              </td>
              <td class="less">
                {trigger.oldestSeconds === null ? '–' : durationWords(trigger.oldestSeconds)}
              </td>
              <td>
                {trigger.pausedAt !== null && <p>{pauseWords(trigger)}</p>}
                <ActButton session={session} onClick={() => choose(trigger)}>
                  {trigger.pausedAt === null ? 'Pause' : 'Resume'}
                  <span class="hidden"> {trigger.name}</span>
                </ActButton>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      {chosen && (
        <ConfirmPause
          {...{ trigger: chosen, refresh, onSignedOut }}
          close={() => choose(undefined)}
        />
      )}
    </div>
  );
}

function DeadCount({
  trigger: { name, dead },
  go,
}: Pick<ScreenProps, 'go'> & { trigger: Trigger }) {
  if (dead === 0) return <>0</>;
  return (
    <Link go={go} place={deliveries({ trigger: name, state: 'dead' })}>
      {dead.toLocaleString()}
      <span class="hidden"> events of {name}</span>
    </Link>
  );
}

function unfinishedWords({ pending, failed }: Trigger): string {
  const retried = failed === 0 ? '' : `, ${failed.toLocaleString()} of them failed before`;
  return `${(pending + failed).toLocaleString()}${retried}`;
}

function pauseWords({ pausedAt, pausedBy }: Trigger): string {
  const by = pausedBy === null ? '' : ` by ${pausedBy}`;
  return `paused ${pausedAt === null ? '' : timeWords(pausedAt)}${by}`;
}

interface ConfirmPauseProps extends Pick<ScreenProps, 'onSignedOut'> {
  readonly trigger: Trigger;
  readonly refresh: () => void;
  readonly close: () => void;
}

function ConfirmPause({ trigger, refresh, close, onSignedOut }: ConfirmPauseProps) {
  const { name, pausedAt, pending, failed } = trigger;
  const isPaused = pausedAt !== null;
  const act = async () => {
    await askServer(`/admin/events/${isPaused ? 'resume' : 'pause'}`, { trigger: name });
    refresh();
  };
  const action = isPaused ? 'Resume' : 'Pause';
  return (
    <Confirm title={`${action} ${name}?`} action={action} {...{ act, close, onSignedOut }}>
      {isPaused ? (
        <p>
          Workers deliver its {counted(pending + failed, 'waiting event')} at once, and all later
          ones. You can pause it again; delivered events stay delivered.
        </p>
      ) : (
        <p>
          No worker begins a delivery of its events. Changes are still recorded, and their events
          wait until someone resumes the trigger. Running deliveries end.
        </p>
      )}
    </Confirm>
  );
}
