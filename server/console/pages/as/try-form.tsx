import { useState } from 'preact/hooks';
import type { Operation, TableFacts } from '../api/answers.ts';
import { Outcome, type Question } from './outcome.tsx';
import type { Subject, Texts } from './subject.ts';

interface TryFormProps {
  readonly subject: Subject;
  readonly facts: TableFacts;
  readonly operation: Exclude<Operation, 'select'>;
  /** The row to change; absent for an insert. */
  readonly rowKey?: Texts;
  readonly onSignedOut: () => void;
}

/** Tries a write with typed values. The server always undoes it. */
export function TryForm({ subject, facts, operation, rowKey, onSignedOut }: TryFormProps) {
  const [tried, setTried] = useState<readonly [Question, number]>();
  const { role, variables } = subject;
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    const values = valuesIn(new FormData(event.currentTarget as HTMLFormElement), facts);
    const question = {
      ...{ role, table: facts.key, operation, sessionVariables: variables },
      ...(rowKey && { key: rowKey }),
      ...(operation !== 'delete' && { values }),
    };
    setTried((last) => [question, (last?.[1] ?? 0) + 1]);
  };
  const allowed = operation === 'insert' ? 'isInserted' : 'isUpdated';
  return (
    <>
      <form onSubmit={submit}>
        <p class="quiet">
          The {operation} runs as {role}, and is always undone. Triggers run, sequences advance, and
          the row is locked for a moment.
        </p>
        {operation !== 'delete' && (
          <div class="as-columns">
            {facts.columns.map((column) => (
              <Column
                key={column.name}
                name={column.name}
                note={column[allowed] ? column.type : `${column.type}, ⊘ not in the rule`}
              />
            ))}
          </div>
        )}
        <button type="submit" class="main">
          Try the {operation}, and undo it
        </button>
      </form>
      {tried && (
        <Outcome key={tried[1]} question={tried[0]} facts={facts} onSignedOut={onSignedOut} />
      )}
    </>
  );
}

/** A column with the choice to leave it out, to give a value, or to give null. Typing chooses the value. */
function Column({ name, note }: { readonly name: string; readonly note: string }) {
  const [use, setUse] = useState('leave');
  return (
    <div class="as-column">
      <label>
        {name} <span class="quiet">{note}</span>
        <input
          name={`value ${name}`}
          autoComplete="off"
          onInput={({ currentTarget }) => setUse(currentTarget.value === '' ? 'leave' : 'value')}
        />
      </label>
      <select
        name={`use ${name}`}
        aria-label={`What to write into ${name}`}
        value={use}
        onChange={({ currentTarget }) => setUse(currentTarget.value)}
      >
        <option value="leave">leave out</option>
        <option value="value">value</option>
        <option value="null">null</option>
      </select>
    </div>
  );
}

function valuesIn(form: FormData, { columns }: TableFacts): Record<string, string | null> {
  const given = columns.flatMap(({ name }) => {
    const use = form.get(`use ${name}`);
    if (use === 'leave') return [];
    return [[name, use === 'null' ? null : String(form.get(`value ${name}`))] as const];
  });
  return Object.fromEntries(given);
}
