import { askServer } from '../api/ask-server.ts';
import type { Run, Runs } from '../api/work-answers.ts';
import { Details } from '../shell/details.tsx';
import { usePages } from '../shell/use-pages.ts';
import { More } from './more.tsx';
import { durationWords, timeWords } from './words.ts';

interface HistoryProps {
  /** The name of the schedule. */
  readonly name: string;
  readonly close: () => void;
  readonly onSignedOut: () => void;
}

/** The runs of a schedule with their results. */
export function History({ name, close, onSignedOut }: HistoryProps) {
  const load = async (before: string | undefined) => {
    const { runs, next } = await askServer<Runs>('/admin/schedules/history', { name, before });
    return { items: runs, next };
  };
  const pages = usePages(name, load, onSignedOut);
  return (
    <Details title={`Runs of ${name}`} close={close}>
      <ul>
        {pages.items.map((run) => (
          <li key={run.id}>
            <RunWords run={run} />
          </li>
        ))}
      </ul>
      <More pages={pages} empty="It has not run in the last 90 days." />
      <p>
        <button type="button" onClick={pages.reload}>
          Load again
        </button>
      </p>
      <p class="quiet">Your look was recorded, because results can show data of rows.</p>
    </Details>
  );
}

function RunWords({ run }: { readonly run: Run }) {
  const { outcome, startedAt, finishedAt, scheduledFor, detail, instance } = run;
  const took = finishedAt === null ? undefined : Date.parse(finishedAt) - Date.parse(startedAt);
  return (
    <>
      <strong>{outcome === 'ok' ? 'succeeded' : outcome}</strong>, {timeWords(startedAt)}
      {took !== undefined && `, took ${durationWords(took / 1000)}`}
      <p class="quiet">
        {scheduledFor === null ? 'on request' : `due ${timeWords(scheduledFor)}`}, by {instance}
      </p>
      {detail !== null && <pre>{JSON.stringify(detail, null, 2)}</pre>}
    </>
  );
}
