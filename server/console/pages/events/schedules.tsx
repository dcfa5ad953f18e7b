import { useState } from 'preact/hooks';
import { askServer } from '../api/ask-server.ts';
import type { Schedules as Answer, Schedule } from '../api/work-answers.ts';
import { ActButton } from '../shell/act-button.tsx';
import { Confirm } from '../shell/confirm.tsx';
import { Failure } from '../shell/failure.tsx';
import { Link } from '../shell/link.tsx';
import type { ScreenProps } from '../shell/screens.ts';
import { usePolled } from '../shell/use-polled.ts';
import { History } from './history.tsx';
import { timeWords } from './words.ts';

const seconds = 5;

/** The schedules of cron.yaml, and the history of one. */
export function Schedules(props: ScreenProps) {
  const { place, go, onSignedOut } = props;
  const { schedule } = place.values;
  const ask = () => askServer<Answer>('/admin/schedules');
  const [asked, refresh] = usePolled('', ask, seconds, onSignedOut);
  if (asked.state === 'waiting') return <p class="waiting">Reading the schedules…</p>;
  if (asked.state === 'failed') return <Failure error={asked.error} retry={refresh} />;
  const { schedules } = asked.answer;
  const close = () => {
    go({ screen: 'events', values: { part: 'schedules' } }, 'replace');
    document.getElementById(`schedule-${schedule}`)?.focus();
  };
  if (schedules.length === 0) {
    return (
      <p role="status">
        The metadata has no schedule. Write one in <code>cron.yaml</code>, and apply it.
      </p>
    );
  }
  return (
    <div class={schedule ? 'beside' : ''}>
      <ScheduleTable {...props} {...{ schedules, refresh }} />
      {schedule && <History key={schedule} name={schedule} {...{ close, onSignedOut }} />}
    </div>
  );
}

interface TableProps extends ScreenProps {
  readonly schedules: readonly Schedule[];
  readonly refresh: () => void;
}

function ScheduleTable({ schedules, refresh, go, session, onSignedOut }: TableProps) {
  const [chosen, choose] = useState<Schedule>();
  const [requested, setRequested] = useState('');
  return (
    <div class="scroll">
      <p role="status">{requested}</p>
      <table class="work">
        <caption class="hidden">Schedules</caption>
        <thead>
          <tr>
            <th scope="col">Schedule</th>
            <th scope="col" class="less">
              When
            </th>
            <th scope="col" class="less">
              Runs
            </th>
            <th scope="col">Next</th>
            <th scope="col">Last run</th>
            <th scope="col">Act</th>
          </tr>
        </thead>
        <tbody>
          {schedules.map((schedule) => (
            <tr key={schedule.name}>
              <th scope="row">
                <Link
                  id={`schedule-${schedule.name}`}
                  go={go}
                  place={{
                    screen: 'events',
                    values: { part: 'schedules', schedule: schedule.name },
                  }}
                >
                  {schedule.name}
                </Link>
              </th>
              <td class="less">
                <code>{schedule.cron}</code> {schedule.timezone}
              </td>
              <td class="less long">{schedule.does}</td>
              <td>{timeWords(schedule.next)}</td>
              <td>{lastWords(schedule)}</td>
              <td>
                <ActButton session={session} onClick={() => choose(schedule)}>
                  Run now<span class="hidden"> {schedule.name}</span>
                </ActButton>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      {chosen && (
        <ConfirmRun
          {...{ schedule: chosen, onSignedOut }}
          close={() => choose(undefined)}
          onRequested={() => {
            setRequested(`A worker will run ${chosen.name} in a moment.`);
            refresh();
          }}
        />
      )}
    </div>
  );
}

const outcomes = { running: 'running', ok: 'succeeded', failed: 'failed' } as const;

function lastWords({ last }: Schedule): string {
  if (last === null) return 'never';
  return `${outcomes[last.outcome]}, ${timeWords(last.startedAt)}`;
}

interface ConfirmRunProps extends Pick<ScreenProps, 'onSignedOut'> {
  readonly schedule: Schedule;
  readonly close: () => void;
  readonly onRequested: () => void;
}

function ConfirmRun({ schedule, close, onRequested, onSignedOut }: ConfirmRunProps) {
  const { name, does, last } = schedule;
  const act = async () => {
    await askServer('/admin/schedules/run', { name, ...(last && { after: last.id }) });
    onRequested();
  };
  return (
    <Confirm title={`Run ${name} now?`} action="Run once" {...{ act, close, onSignedOut }}>
      <p>
        A worker runs <code>{does}</code> once, and records the result in the history. What it does
        cannot be undone here. Its next time stays as it is.
      </p>
      <p>If a run has begun since this page was loaded, nothing happens.</p>
    </Confirm>
  );
}
