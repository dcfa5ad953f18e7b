import type { ComponentChildren } from 'preact';
import type { Session } from '../api/answers.ts';

const noteId = 'read-only';

interface ActButtonProps {
  readonly session: Session;
  readonly onClick: () => void;
  readonly children: ComponentChildren;
}

/**
 * A button for an act that lasts. On a server that allows none it does nothing, and refers to the `ReadOnlyNote` of the
 * screen. It keeps the focus then, so that screen readers find it with the reason.
 */
export function ActButton({ session: { canWrite }, onClick, children }: ActButtonProps) {
  return (
    <button
      type="button"
      aria-disabled={!canWrite}
      aria-describedby={canWrite ? undefined : noteId}
      onClick={canWrite ? onClick : undefined}
    >
      {children}
    </button>
  );
}

/** Says why the acts of a screen are not possible. Shows nothing where they are. */
export function ReadOnlyNote({ session: { canWrite } }: Pick<ActButtonProps, 'session'>) {
  if (canWrite) return null;
  return (
    <p class="quiet" id={noteId}>
      Read only: to allow the acts of this screen, set <code>ROWGATE_CONSOLE_WRITES=true</code> for
      the server.
    </p>
  );
}
