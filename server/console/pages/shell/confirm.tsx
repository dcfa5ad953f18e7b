import type { ComponentChildren } from 'preact';
import { useId, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { ServerError } from '../api/ask-server.ts';
import { Failure } from './failure.tsx';

interface ConfirmProps {
  /** The question, such as “Redeliver 12 events?”. */
  readonly title: string;
  /** The words of what will happen: how many, which, and whether it can be undone. */
  readonly children: ComponentChildren;
  /** The label of the button that acts, such as “Redeliver 12 events”. */
  readonly action: string;
  /** The dialog closes when the act has succeeded, and shows its failure. */
  readonly act: () => Promise<void>;
  /** Runs after the dialog has closed, also when nothing was done. */
  readonly close: () => void;
  readonly onSignedOut: () => void;
}

/**
 * Asks before an act. The browser keeps the focus inside of the dialog, and returns it afterwards. Escape cancels.
 * “Cancel” has the focus first, so that Enter alone does nothing.
 */
export function Confirm({ title, children, action, act, close, onSignedOut }: ConfirmProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const cancel = useRef<HTMLButtonElement>(null);
  const id = useId();
  const [isBusy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>();
  useLayoutEffect(() => {
    dialog.current?.showModal();
    cancel.current?.focus();
  }, []);
  const run = async () => {
    setBusy(true);
    setError(undefined);
    try {
      await act();
      dialog.current?.close();
    } catch (failure) {
      if (failure instanceof ServerError && failure.status === 401) onSignedOut();
      else setError(failure);
      setBusy(false);
    }
  };
  return (
    <dialog
      ref={dialog}
      class="confirm"
      role="alertdialog"
      aria-labelledby={`${id}-title`}
      aria-describedby={`${id}-words`}
      onClose={close}
    >
      <h2 id={`${id}-title`}>{title}</h2>
      <div id={`${id}-words`}>{children}</div>
      {error !== undefined && <Failure error={error} retry={run} />}
      <p class="acts">
        <button ref={cancel} type="button" onClick={() => dialog.current?.close()}>
          Cancel
        </button>
        <button type="button" class="main" disabled={isBusy} onClick={run}>
          {action}
        </button>
      </p>
    </dialog>
  );
}
