import { useState } from 'preact/hooks';
import type { Session } from '../api/answers.ts';
import { askServer } from '../api/ask-server.ts';
import type { AppliedPlan, ApplyPlan } from '../api/change-answers.ts';
import { ActButton } from '../shell/act-button.tsx';
import { Confirm } from '../shell/confirm.tsx';
import { Failure } from '../shell/failure.tsx';
import { Findings } from '../words/findings.tsx';
import { Running } from './running.tsx';
import { useTask } from './use-task.ts';

interface ApplyPartProps {
  readonly session: Session;
  readonly onSignedOut: () => void;
  readonly isApplicable: boolean;
  readonly open: (file: string, line: number) => void;
}

type Planned = Extract<ApplyPlan, { readonly kind: 'planned' }>;

/** Shows the plan of the files, and applies it where the server allows that. */
export function ApplyPart({ session, onSignedOut, isApplicable, open }: ApplyPartProps) {
  const { task, start, cancel } = useTask<ApplyPlan>('/admin/metadata/plan', onSignedOut);
  const [asking, setAsking] = useState<Planned>();
  const [applied, setApplied] = useState<AppliedPlan>();
  const plan = () => {
    setApplied(undefined);
    start({});
  };
  const apply = async ({ digest }: Planned) => {
    setApplied(await askServer<AppliedPlan>('/admin/metadata/apply', { digest }));
    cancel();
  };
  return (
    <section class="card" aria-labelledby="apply">
      <h2 id="apply">Files and database</h2>
      {task.state === 'running' ? (
        <Running words="Making the plan" since={task.since} cancel={cancel} />
      ) : (
        <p>
          <button type="button" onClick={plan}>
            Plan an apply of the files
          </button>
        </p>
      )}
      {task.state === 'failed' && <Failure error={task.error} retry={plan} />}
      {task.state === 'done' && task.answer.kind === 'mistaken' && (
        <Findings findings={task.answer.mistakes} open={open} />
      )}
      {task.state === 'done' && task.answer.kind === 'planned' && (
        <Plan planned={task.answer} {...{ session, isApplicable }} ask={setAsking} />
      )}
      {applied?.kind === 'mistaken' && <Findings findings={applied.mistakes} open={open} />}
      {applied?.kind === 'applied' && (
        <p role="status">
          Applied {applied.changes} changes. “Load the rules again” in the palette shows them.
        </p>
      )}
      {asking && (
        <Confirm
          title={asking.question}
          action="Apply exactly this plan"
          act={() => apply(asking)}
          close={() => setAsking(undefined)}
          onSignedOut={onSignedOut}
        >
          <p>
            The files become the rules of this database at once, for all callers. An apply of the
            old files undoes it. The server refuses if the plan is another one by then.
          </p>
          <pre class="plan">{asking.lines.join('\n')}</pre>
        </Confirm>
      )}
    </section>
  );
}

interface PlanProps extends Pick<ApplyPartProps, 'session' | 'isApplicable'> {
  readonly planned: Planned;
  readonly ask: (planned: Planned) => void;
}

function Plan({ planned, session, isApplicable, ask }: PlanProps) {
  return (
    <>
      <pre class="plan" role="status">
        {planned.lines.join('\n')}
      </pre>
      {!planned.isEmpty && isApplicable && (
        <p>
          <ActButton session={session} onClick={() => ask(planned)}>
            Apply…
          </ActButton>
        </p>
      )}
      {!planned.isEmpty && !isApplicable && (
        <p class="quiet">
          The console does not apply here. Review the change, and run <code>rowgate apply</code>.
        </p>
      )}
    </>
  );
}
