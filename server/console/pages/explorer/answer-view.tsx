import { json } from '@codemirror/lang-json';
import { CodeEditor } from '../editor/code-editor.tsx';
import { Failure } from '../shell/failure.tsx';
import type { Run } from './use-run.ts';

const language = [json()];

interface AnswerViewProps {
  readonly run: Run;
  readonly retry: () => void;
}

/** The answer of the server, with its rows and its time. */
export function AnswerView({ run, retry }: AnswerViewProps) {
  const { answer, error } = run;
  return (
    <section aria-labelledby="answer">
      <h2 id="answer">Answer</h2>
      <p role="status" class={answer?.hasErrors ? 'problem' : 'quiet'}>
        {wordsOf(run)}
      </p>
      {error !== undefined && <Failure error={error} retry={retry} />}
      {answer && <CodeEditor label="Answer" value={answer.text} extensions={language} isReadOnly />}
    </section>
  );
}

/** Returns rows and time of an operation, or what to do. */
export function wordsOf({ state, answer, answers, error }: Run): string {
  if (error !== undefined) return 'No answer';
  if (state === 'none') return 'Run an operation to see its answer, its rows and its time.';
  if (!answer) return 'Waiting for the answer…';
  const problem = answer.hasErrors ? 'The operation was refused, or failed · ' : '';
  const rows = `${answer.rows} ${answer.rows === 1 ? 'row' : 'rows'}`;
  const time = `${Math.round(answer.ms)} ms`;
  if (state === 'live') return `${problem}Live: answer ${answers} · ${rows}`;
  return answers > 1
    ? `${problem}Ended after ${answers} answers · ${rows}`
    : `${problem}${rows} · ${time}`;
}
