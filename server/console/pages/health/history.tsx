import type { Applies, Apply } from '../api/answers.ts';
import { askServer } from '../api/ask-server.ts';
import { Failure } from '../shell/failure.tsx';
import { Link } from '../shell/link.tsx';
import type { ScreenProps } from '../shell/screens.ts';
import { useAnswer } from '../shell/use-answer.ts';
import { Comparison } from './comparison.tsx';
import { countOf, timeOf } from './figures.ts';

type HistoryProps = Pick<ScreenProps, 'place' | 'go' | 'onSignedOut'>;

/** The recorded applies, a page at a time, and the difference of two of them. */
export function History({ place, go, onSignedOut }: HistoryProps) {
  const { before } = place.values;
  const [asked, retry] = useAnswer(
    before ?? '',
    () => askServer<Applies>(`/admin/history${pageOf(before)}`),
    onSignedOut,
  );
  const page = (to: string | undefined) => ({ ...place, values: { ...place.values, before: to } });
  return (
    <section aria-labelledby="history">
      <h2 id="history">Applies</h2>
      {asked.state === 'waiting' && <p class="waiting">Reading the history…</p>}
      {asked.state === 'failed' && <Failure error={asked.error} retry={retry} />}
      {asked.state === 'answered' && (
        <>
          <Comparison applies={asked.answer.applies} {...{ place, go, onSignedOut }} />
          {asked.answer.applies.length === 0 && (
            <p role="status">No apply is recorded. rowgate apply records itself.</p>
          )}
          <ol class="applies">
            {asked.answer.applies.map((apply) => (
              <li key={apply.id}>
                <AppliedWords apply={apply} />
              </li>
            ))}
          </ol>
          <p>
            {before !== undefined && (
              <span class="choice">
                <Link go={go} place={page(undefined)}>
                  Newest applies
                </Link>
              </span>
            )}
            {asked.answer.next !== undefined && (
              <Link go={go} place={page(String(asked.answer.next))}>
                Older applies
              </Link>
            )}
          </p>
        </>
      )}
    </section>
  );
}

function pageOf(before: string | undefined): string {
  return before === undefined ? '' : `?${new URLSearchParams({ before })}`;
}

function AppliedWords({ apply }: { readonly apply: Apply }) {
  const { id, endedAt, actor, login, revision, words, plan, error } = apply;
  return (
    <>
      <h3>
        Apply {id}: {error === null ? countOf(plan.length, 'change', 'changes') : 'failed'}
      </h3>
      <p class="quiet">
        {timeOf(endedAt)}, by {actor ?? login}
        {actor !== null && ` (${login})`}
        {revision !== null && `, commit ${revision.slice(0, 10)}`}
      </p>
      {error !== null && <pre>{error}</pre>}
      {words.length > 0 && <pre>{words.join('\n')}</pre>}
      {plan.length > 0 && (
        <details>
          <summary>Changes of database objects</summary>
          <ul>
            {plan.map((line) => (
              <li key={line}>
                <code>{line}</code>
              </li>
            ))}
          </ul>
        </details>
      )}
    </>
  );
}
