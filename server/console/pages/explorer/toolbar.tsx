import type { Matrix } from '../api/answers.ts';
import type { ReadDocument } from './document.ts';
import type { Draft } from './draft.ts';
import type { Run } from './use-run.ts';

interface ToolbarProps {
  readonly role: string;
  readonly matrix: Matrix;
  readonly document: ReadDocument;
  readonly draft: Draft;
  readonly change: (changed: Partial<Draft>) => void;
  readonly choose: (role: string) => void;
  readonly submit: () => void;
  readonly stop: () => void;
  readonly run: Run;
  /** Whether the server allows no mutation by the console. */
  readonly isRefused: boolean;
}

/** The role, the operation to run, and the button that runs it. */
export function Toolbar(props: ToolbarProps) {
  const { role, matrix, document, draft, change, choose, submit, stop, run, isRefused } = props;
  const { operations } = document;
  const roles = [...matrix.roles.map(({ name }) => name), 'admin'];
  return (
    <form
      class="filters"
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
    >
      <label>
        Role
        <select value={role} onChange={({ currentTarget }) => choose(currentTarget.value)}>
          {roles.map((name) => (
            <option key={name}>{name}</option>
          ))}
        </select>
      </label>
      {operations.length > 1 && (
        <label>
          Operation to run
          <select
            value={draft.operationName}
            onChange={({ currentTarget }) => change({ operationName: currentTarget.value })}
          >
            {operations.map(({ name = '' }) => (
              <option key={name}>{name}</option>
            ))}
          </select>
        </label>
      )}
      <button
        type="submit"
        class="main"
        aria-disabled={isRefused}
        aria-describedby={isRefused ? 'read-only' : undefined}
        disabled={run.state === 'waiting'}
      >
        Run <kbd>Ctrl Enter</kbd>
      </button>
      {(run.state === 'live' || run.state === 'waiting') && (
        <button type="button" onClick={stop}>
          Stop
        </button>
      )}
    </form>
  );
}
