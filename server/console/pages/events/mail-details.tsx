import { useState } from 'preact/hooks';
import { askServer } from '../api/ask-server.ts';
import type { Mail } from '../api/work-answers.ts';
import { ActButton } from '../shell/act-button.tsx';
import { Confirm } from '../shell/confirm.tsx';
import { Failure } from '../shell/failure.tsx';
import type { ScreenProps } from '../shell/screens.ts';
import { useAnswer } from '../shell/use-answer.ts';
import { Panel } from './panel.tsx';
import { timeWords } from './words.ts';

interface DetailsProps extends Pick<ScreenProps, 'session' | 'onSignedOut'> {
  readonly id: string;
  readonly close: () => void;
  /** Loads the list again. */
  readonly reload: () => void;
}

/** One mail with its text. */
export function MailDetails({ id, close, reload, session, onSignedOut }: DetailsProps) {
  const [isAsking, setAsking] = useState(false);
  const ask = () => askServer<Mail>('/admin/mails/show', { id });
  const [asked, retry] = useAnswer(id, ask, onSignedOut);
  const act = async () => {
    await askServer('/admin/mails/retry', { id });
    retry();
    reload();
  };
  if (asked.state !== 'answered') {
    return (
      <Panel title="Mail" close={close}>
        {asked.state === 'failed' ? (
          <Failure error={asked.error} retry={retry} />
        ) : (
          <p role="status">Reading the mail…</p>
        )}
      </Panel>
    );
  }
  const { subject, recipient, state, attempts, lastError, createdAt, sentAt, key, text } =
    asked.answer;
  return (
    <Panel title={subject === '' ? '(no subject)' : subject} close={close}>
      <ul>
        <li>to {recipient}</li>
        <li>
          {state === 'failed' ? 'given up' : state}
          {sentAt !== null && ` ${timeWords(sentAt)}`}, tries: {attempts}
        </li>
        {lastError !== null && <li class="problem">last error: {lastError}</li>}
        <li>written {timeWords(createdAt)}</li>
        <li>
          key <code>{key}</code>
        </li>
      </ul>
      {state !== 'sent' && (
        <p>
          <ActButton session={session} onClick={() => setAsking(true)}>
            Send again…
          </ActButton>
        </p>
      )}
      <h3>Text</h3>
      <pre>{text}</pre>
      {isAsking && (
        <Confirm
          title="Send this mail again?"
          action="Send the mail"
          close={() => setAsking(false)}
          {...{ act, onSignedOut }}
        >
          <p>
            A worker sends it to {recipient} at once, as “{subject}”. A mail that the server has
            accepted cannot be recalled.
          </p>
        </Confirm>
      )}
    </Panel>
  );
}
