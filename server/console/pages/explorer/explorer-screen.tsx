import { useMemo, useState } from 'preact/hooks';
import { CodeEditor } from '../editor/code-editor.tsx';
import { ReadOnlyNote } from '../shell/act-button.tsx';
import { Confirm } from '../shell/confirm.tsx';
import { Failure } from '../shell/failure.tsx';
import type { ScreenProps } from '../shell/screens.ts';
import { Title } from '../shell/title.tsx';
import { useAnswer } from '../shell/use-answer.ts';
import { AnswerView, wordsOf } from './answer-view.tsx';
import { describeRole } from './describe-role.ts';
import { readDocument } from './document.ts';
import { DocumentsView } from './documents-view.tsx';
import { useDraft } from './draft.ts';
import { HeadersForm } from './headers.tsx';
import { graphqlLanguage, jsonLanguage } from './language.ts';
import { PlanView } from './plan-view.tsx';
import { type Prepared, prepare } from './prepare.ts';
import { Toolbar } from './toolbar.tsx';
import { useRun } from './use-run.ts';

/** Longer documents do not fit into an address that every server and proxy accepts. */
const maxLinked = 4000;

/** Writes and runs operations of GraphQL as any role, with the limits and the rules of that role. */
export function ExplorerScreen({ place, go, matrix, session, onSignedOut }: ScreenProps) {
  const { role = matrix.roles[0]?.name ?? 'admin', query: linked } = place.values;
  const [draft, change, remember] = useDraft(session, linked);
  const [asked, retry] = useAnswer(role, () => describeRole(role, matrix), onSignedOut);
  const described = asked.state === 'answered' ? asked.answer : undefined;
  const language = useMemo(() => graphqlLanguage(described?.schema), [described]);
  const document = useMemo(() => readDocument(draft.text), [draft.text]);
  const prepared = useMemo(() => prepare(role, draft, document), [role, draft, document]);
  const [problem, setProblem] = useState<string>();
  const [isAsking, setAsking] = useState(false);
  const { run, start, stop } = useRun(onSignedOut);

  const send = async ({ question, operation }: Prepared) => {
    const isLinked = document.unsavable === undefined && draft.text.length <= maxLinked;
    go(
      { screen: 'explorer', values: { role, query: isLinked ? draft.text : undefined } },
      'replace',
    );
    const ended = await start(question, operation.kind);
    remember({ at: new Date(), role, text: question.query, words: wordsOf(ended) });
  };
  const isMutation = prepared.operation?.kind === 'mutation';
  const submit = () => {
    setProblem(prepared.problem);
    if (prepared.problem !== undefined) return;
    if (!isMutation) void send(prepared);
    else if (session.canWrite) setAsking(true);
  };
  return (
    <div class="explorer">
      <Title>Explorer</Title>
      <Toolbar
        {...{ role, matrix, document, draft, change, submit, stop, run }}
        isRefused={isMutation && !session.canWrite}
        choose={(name) => go({ screen: 'explorer', values: { ...place.values, role: name } })}
      />
      {isMutation && <ReadOnlyNote session={session} />}
      {problem !== undefined && (
        <p class="problem" role="alert">
          {problem}.
        </p>
      )}
      {asked.state === 'failed' && <Failure error={asked.error} retry={retry} />}
      <div class="halves">
        <div>
          <section aria-labelledby="operation" aria-busy={asked.state === 'waiting'}>
            <h2 id="operation">
              Operation
              {asked.state === 'waiting' && (
                <span class="quiet"> – loading the schema of the role…</span>
              )}
            </h2>
            <CodeEditor
              label="Operation"
              value={draft.text}
              onChange={(text) => change({ text })}
              extensions={language}
              onSubmit={submit}
            />
          </section>
          <section aria-labelledby="variables">
            <h2 id="variables">Variables</h2>
            <CodeEditor
              label="Variables, as JSON"
              value={draft.variables}
              onChange={(variables) => change({ variables })}
              extensions={jsonLanguage}
              onSubmit={submit}
            />
          </section>
          <HeadersForm variables={described?.variables ?? []} draft={draft} change={change} />
        </div>
        <div>
          <AnswerView run={run} retry={submit} />
          {prepared.operation?.kind === 'query' && prepared.question && (
            <PlanView question={prepared.question} onSignedOut={onSignedOut} />
          )}
        </div>
      </div>
      <DocumentsView
        {...{ onSignedOut, text: draft.text, history: draft.history }}
        unsavable={document.unsavable}
        listed={described?.documents ?? []}
        open={(text, other = role) => {
          change({ text });
          go({ screen: 'explorer', values: { role: other } });
        }}
      />
      {isAsking && prepared.problem === undefined && (
        <Confirm
          title={`Run the mutation as ${role}?`}
          action="Run the mutation"
          act={() => send(prepared)}
          close={() => setAsking(false)}
          onSignedOut={onSignedOut}
        >
          <p>
            {prepared.operation.name ?? 'The mutation'} changes all rows that its conditions and the
            rules of {role} match, at once. Triggers, events and actions run. The console cannot
            undo it. Your name is recorded.
          </p>
        </Confirm>
      )}
    </div>
  );
}
