import { Failure } from '../shell/failure.tsx';
import { Findings } from '../words/findings.tsx';
import { DifferenceList } from './difference.tsx';
import type { Draft } from './draft-store.ts';
import type { DraftCheck } from './use-check.ts';

interface EffectsProps {
  readonly drafts: readonly Draft[];
  readonly check: DraftCheck;
  readonly open: (file: string, line: number) => void;
}

/** What the drafts change for whom, and their findings. */
export function Effects({ drafts, check, open }: EffectsProps) {
  const { task, checked, count, again } = check;
  return (
    <section class="card" aria-labelledby="effects">
      <h2 id="effects">What the draft changes</h2>
      {drafts.length === 0 && (
        <p role="status">
          Nothing yet. Edit the file: a moment later, this says who gains or loses what.
        </p>
      )}
      {drafts.length > 0 && (
        <p class="quiet">Drafts: {drafts.map(({ file }) => file).join(', ')}</p>
      )}
      {task.state === 'running' && <p role="status">Comparing…</p>}
      {task.state === 'failed' && <Failure error={task.error} retry={again} />}
      {checked?.kind === 'mistaken' && <Findings findings={checked.mistakes} open={open} />}
      {checked?.kind === 'checked' && (
        <>
          {checked.difference ? (
            <DifferenceList difference={checked.difference} />
          ) : (
            <p role="status">The files have mistakes, so the draft cannot be compared with them.</p>
          )}
          {checked.difference?.changes.some(({ rows }) => rows !== null) && (
            <p>
              <button type="button" disabled={task.state === 'running'} onClick={count}>
                Count existing rows
              </button>
            </p>
          )}
          <FindingsOfDraft {...checked} open={open} />
        </>
      )}
    </section>
  );
}

type Checked = Extract<NonNullable<DraftCheck['checked']>, { readonly kind: 'checked' }>;

function FindingsOfDraft({ findings, gone, open }: Checked & Pick<EffectsProps, 'open'>) {
  if (findings.length === 0 && gone === 0) return null;
  return (
    <>
      <h3>Findings</h3>
      {gone > 0 && <p>{gone === 1 ? '1 finding is gone.' : `${gone} findings are gone.`}</p>}
      <Findings findings={findings} open={open} />
    </>
  );
}
