import type { Apply, ComparedApplies } from '../api/answers.ts';
import { askServer } from '../api/ask-server.ts';
import { Failure } from '../shell/failure.tsx';
import type { ScreenProps } from '../shell/screens.ts';
import { useAnswer } from '../shell/use-answer.ts';

interface ComparisonProps extends Pick<ScreenProps, 'place' | 'go' | 'onSignedOut'> {
  readonly applies: readonly Apply[];
}

/** The numbers of two applies, and what changed between them. */
export function Comparison({ applies, place, go, onSignedOut }: ComparisonProps) {
  const { old, new: next } = place.values;
  const [latest, previous] = applies.filter(({ hasFiles }) => hasFiles);
  const compare = (event: SubmitEvent) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget as HTMLFormElement);
    const chosen = { old: String(form.get('old')), new: String(form.get('new')) };
    go({ ...place, values: { ...place.values, ...chosen } });
  };
  const field = (label: string, name: string, value: string | number | undefined) => (
    <label>
      {label}
      <input
        name={name}
        type="number"
        min="1"
        max="999999999"
        required
        defaultValue={value ?? ''}
      />
    </label>
  );
  return (
    <>
      <form key={`${old} ${next}`} class="filters" onSubmit={compare}>
        {field('What changed from apply', 'old', old ?? previous?.id)}
        {field('to apply', 'new', next ?? latest?.id)}
        <button type="submit">Compare</button>
      </form>
      {old !== undefined && next !== undefined && (
        <Changes old={old} next={next} onSignedOut={onSignedOut} />
      )}
    </>
  );
}

const classWords: Readonly<Record<ComparedApplies['changes'][number]['class'], string>> = {
  dangerous: 'Dangerous: existing access widens, or may widen',
  review: 'To review: new access, or an undecided comparison',
  breaking: 'Breaking: clients lose something',
  safe: 'Safe',
};

interface ChangesProps extends Pick<ScreenProps, 'onSignedOut'> {
  readonly old: string;
  readonly next: string;
}

function Changes({ old, next, onSignedOut }: ChangesProps) {
  const [asked, retry] = useAnswer(
    JSON.stringify([old, next]),
    () =>
      askServer<ComparedApplies>('/admin/history/compare', { old: Number(old), new: Number(next) }),
    onSignedOut,
  );
  if (asked.state === 'waiting') return <p class="waiting">Comparing the applies…</p>;
  if (asked.state === 'failed') return <Failure error={asked.error} retry={retry} />;
  const classes = Map.groupBy(asked.answer.changes, (change) => change.class);
  return (
    <section class="card" aria-label={`Changes from apply ${old} to apply ${next}`}>
      {classes.size === 0 && <p role="status">Both applies mean the same.</p>}
      {[...classes].map(([weight, changes]) => (
        <div key={weight}>
          <h3 class="plain">{classWords[weight]}</h3>
          <ul>
            {changes.map(({ sentence, details, inheritedBy }) => (
              <li key={sentence}>
                {sentence}
                {inheritedBy.length > 0 && `; also ${inheritedBy.join(', ')}`}
                {details.map((line) => (
                  <div key={line} class="quiet">
                    {line}
                  </div>
                ))}
              </li>
            ))}
          </ul>
        </div>
      ))}
    </section>
  );
}
