import type { RoleFacts } from '../api/answers.ts';
import type { AsMemory, Subject } from './subject.ts';

interface CallerFormProps {
  readonly roles: readonly string[];
  readonly role: string;
  /** Undefined while they are loaded. */
  readonly facts: RoleFacts | undefined;
  readonly memory: AsMemory;
  readonly choose: (role: string) => void;
  readonly act: (subject: Subject) => void;
}

/** Chooses a role and the values of its session variables. */
export function CallerForm({ roles, role, facts, memory, choose, act }: CallerFormProps) {
  const { variables } = memory;
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    const given = new FormData(event.currentTarget as HTMLFormElement);
    const texts = (facts?.variables ?? [])
      .map(({ header }) => [header, String(given.get(header) ?? '')] as const)
      .filter(([, text]) => text !== '');
    act({ role, variables: Object.fromEntries(texts) });
  };
  return (
    <form class="filters as-caller" onSubmit={submit}>
      <label>
        Role
        <select value={role} onChange={({ currentTarget }) => choose(currentTarget.value)}>
          {roles.map((name) => (
            <option key={name}>{name}</option>
          ))}
        </select>
      </label>
      {facts?.variables.map(({ header, isRequired }) => (
        // Another person has other values.
        <label key={JSON.stringify([role, header, variables])}>
          {header}
          {isRequired && ' (required)'}
          <input name={header} defaultValue={variables?.[header] ?? ''} autoComplete="off" />
        </label>
      ))}
      {facts && facts.variables.length > 0 && (
        <button type="submit" class="main">
          Look at the data
        </button>
      )}
    </form>
  );
}
