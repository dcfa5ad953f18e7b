import { useRef, useState } from 'preact/hooks';
import { askServer } from '../api/ask-server.ts';
import type { Mail } from '../api/work-answers.ts';
import { ActButton } from '../shell/act-button.tsx';
import { Confirm } from '../shell/confirm.tsx';
import { Details } from '../shell/details.tsx';
import { Failure } from '../shell/failure.tsx';
import type { ScreenProps } from '../shell/screens.ts';
import { useAnswer } from '../shell/use-answer.ts';
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
  const isDone = useRef(false);
  const act = async () => {
    await askServer('/admin/mails/retry', { id });
    isDone.current = true;
  };
  // The details load again only after the dialog, which is a part of them, has closed.
  const closeDialog = () => {
    setAsking(false);
    if (!isDone.current) return;
    isDone.current = false;
    retry();
    reload();
  };
  if (asked.state !== 'answered') {
    return (
      <Details title="Mail" close={close}>
        {asked.state === 'failed' ? (
          <Failure error={asked.error} retry={retry} />
        ) : (
          <p role="status">Reading the mail…</p>
        )}
      </Details>
    );
  }
  const { subject, recipient, state, attempts, lastError, createdAt, sentAt, key, text } =
    asked.answer;
  return (
    <Details title={subject === '' ? '(no subject)' : subject} close={close}>
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
          close={closeDialog}
          {...{ act, onSignedOut }}
        >
          <p>
            A worker sends it to {recipient} at once, as “{subject}”. A mail that the server has
            accepted cannot be recalled.
          </p>
        </Confirm>
      )}
    </Details>
  );
}
