import { useEffect, useState } from 'preact/hooks';
import type { Session } from '../api/answers.ts';
import type { TestedDrafts } from '../api/change-answers.ts';
import { ActButton } from '../shell/act-button.tsx';
import { Confirm } from '../shell/confirm.tsx';
import { Failure } from '../shell/failure.tsx';
import { Findings } from '../words/findings.tsx';
import { type Draft, textsOf } from './draft-store.ts';
import { Running } from './running.tsx';
import { useTask } from './use-task.ts';

interface TestsPartProps {
  readonly drafts: readonly Draft[];
  readonly session: Session;
  readonly onSignedOut: () => void;
  readonly open: (file: string, line: number) => void;
}

/** Runs the tests that concern the drafts, and shows which fail and which weakened rules nobody notices. */
export function TestsPart({ drafts, session, onSignedOut, open }: TestsPartProps) {
  const path = '/admin/metadata/test';
  const { task, start, cancel } = useTask<TestedDrafts>(path, onSignedOut);
  const [isAsking, setAsking] = useState(false);
  // Results of earlier texts would mislead.
  useEffect(cancel, [drafts]);
  const run = () => start({ drafts: textsOf(drafts) });
  return (
    <section class="card" aria-labelledby="tests">
      <h2 id="tests">Tests</h2>
      {task.state === 'running' ? (
        <Running words="Running the tests" since={task.since} cancel={cancel} />
      ) : (
        <p>
          <ActButton session={session} onClick={() => setAsking(true)}>
            Run the tests…
          </ActButton>
        </p>
      )}
      {task.state === 'failed' && <Failure error={task.error} retry={run} />}
      {task.state === 'done' && <TestResult tested={task.answer} open={open} />}
      {isAsking && (
        <Confirm
          title="Run the tests of the changed rules?"
          action="Run the tests"
          act={async () => run()}
          close={() => setAsking(false)}
          onSignedOut={onSignedOut}
        >
          Postgres applies the draft in a transaction, runs the tests and weakened rules, and undoes
          everything. All tables with rules are locked until then, for at most 30 seconds, so other
          requests wait.
        </Confirm>
      )}
    </section>
  );
}

interface TestResultProps extends Pick<TestsPartProps, 'open'> {
  readonly tested: TestedDrafts;
}

function TestResult({ tested, open }: TestResultProps) {
  if (tested.kind === 'mistaken') return <Findings findings={tested.mistakes} open={open} />;
  const { total, failed, mutants } = tested;
  if (total === 0 && (mutants?.counted ?? 0) === 0)
    return <p role="status">No rule changes, so no test concerns the draft.</p>;
  return (
    <>
      <p role="status">
        {total - failed.length} of {total} expectations hold
        {mutants
          ? `; the tests notice ${mutants.killed} of ${mutants.counted} weakened rules.`
          : '. Weakened rules are tried when all hold.'}
      </p>
      {failed.length > 0 && (
        <ul class="findings">
          {failed.map(({ name, lines }) => (
            <li key={name} class="error">
              <strong>Fails:</strong> {name}
              {lines.map((line) => (
                <p key={line} class="quiet">
                  {line}
                </p>
              ))}
            </li>
          ))}
        </ul>
      )}
      {mutants?.survived.map(({ words, test }) => (
        <details key={words}>
          <summary>Not noticed: {words}</summary>
          <p class="quiet">This test would notice it:</p>
          <pre>{test}</pre>
        </details>
      ))}
      {mutants !== undefined && mutants.leftOut > 0 && (
        <p>{mutants.leftOut} weakened rules were left out; rowgate test --mutate tries all.</p>
      )}
    </>
  );
}
