import type { ComponentChildren } from 'preact';
import { type ExplainedRule, operations } from '../api/answers.ts';
import { askServer } from '../api/ask-server.ts';
import { Failure } from '../shell/failure.tsx';
import { Link } from '../shell/link.tsx';
import type { Values } from '../shell/place.ts';
import type { ScreenProps } from '../shell/screens.ts';
import { Title } from '../shell/title.tsx';
import { useAnswer } from '../shell/use-answer.ts';
import { RuleWords } from '../words/rule-words.tsx';
import { AroundRule } from './rule-context.tsx';

/** One rule: its words, its place in the metadata, and the database objects that enforce it. */
export function RuleScreen(props: ScreenProps) {
  const { place, go, matrix, onSignedOut } = props;
  const [first] = matrix.entries;
  const { role = first?.role, table = first?.table, operation = 'select' } = place.values;
  if (role === undefined || table === undefined) {
    return <p role="status">The metadata has no rule yet.</p>;
  }
  const set = (changed: Values) =>
    go({ screen: 'rule', values: { role, table, operation, ...changed } });
  const entries = matrix.entries.filter((entry) => entry.role === role && entry.table === table);
  const hasRule = entries.some((entry) => entry.operation === operation);
  const isKnown =
    matrix.roles.some(({ name }) => name === role) &&
    matrix.tables.some(({ key }) => key === table) &&
    operations.some((one) => one === operation);
  const others = entries.filter((entry) => entry.operation !== operation);
  const around = isKnown && <AroundRule {...props} {...{ role, table, operation }} />;
  return (
    <>
      <Title>The rule of one role on one table</Title>
      <form class="filters" onSubmit={(event) => event.preventDefault()}>
        <Choice
          label="Role"
          chosen={role}
          names={matrix.roles.map(({ name }) => name)}
          choose={(name) => set({ role: name })}
        />
        <Choice
          label="Table"
          chosen={table}
          names={matrix.tables.map(({ key }) => key)}
          choose={(name) => set({ table: name })}
        />
        <Choice
          label="Operation"
          chosen={operation}
          names={operations}
          choose={(name) => set({ operation: name })}
        />
      </form>
      {hasRule ? (
        <Rule {...{ role, table, operation, onSignedOut }} ofTable={columnsOf(table, matrix)}>
          {around}
        </Rule>
      ) : (
        <>
          <p role="status">
            {role} has no rule for {operation} on {table}, so Postgres refuses it.
          </p>
          {around}
        </>
      )}
      {others.length > 0 && (
        <p>
          {role} also has rules for:{' '}
          {others.map((entry) => (
            <span key={entry.operation} class="choice">
              <Link
                go={go}
                place={{ screen: 'rule', values: { role, table, operation: entry.operation } }}
              >
                {entry.operation}
              </Link>
            </span>
          ))}
        </p>
      )}
      <p>
        <Link go={go} place={{ screen: 'matrix', values: { table, on: table, as: role } }}>
          Show {table} in the matrix
        </Link>
      </p>
    </>
  );
}

function columnsOf(table: string, { tables }: ScreenProps['matrix']): number {
  return tables.find(({ key }) => key === table)?.columns.length ?? 0;
}

interface ChoiceProps {
  readonly label: string;
  readonly names: readonly string[];
  readonly chosen: string;
  readonly choose: (name: string) => void;
}

function Choice({ label, names, chosen, choose }: ChoiceProps) {
  return (
    <label>
      {label}
      <select value={chosen} onChange={({ currentTarget }) => choose(currentTarget.value)}>
        {names.map((name) => (
          <option key={name}>{name}</option>
        ))}
      </select>
    </label>
  );
}

interface RuleProps extends Pick<ScreenProps, 'onSignedOut'> {
  readonly role: string;
  readonly table: string;
  readonly operation: string;
  /** The number of columns of the table. */
  readonly ofTable: number;
  /** Stands before the SQL, which is long. */
  readonly children: ComponentChildren;
}

function Rule({ role, table, operation, ofTable, onSignedOut, children }: RuleProps) {
  const question = { role, table, operation };
  const [asked, retry] = useAnswer(
    JSON.stringify(question),
    () => askServer<ExplainedRule>('/admin/explain/rule', question),
    onSignedOut,
  );
  if (asked.state === 'waiting') return <p class="waiting">Reading the rule…</p>;
  if (asked.state === 'failed') return <Failure error={asked.error} retry={retry} />;
  const { entry, objects } = asked.answer;
  return (
    <>
      <section class="card" aria-labelledby="words">
        <h2 id="words">In words</h2>
        <RuleWords entry={entry} ofTable={ofTable} />
      </section>
      {children}
      <section aria-labelledby="objects">
        <h2 id="objects">In Postgres</h2>
        <p class="quiet">These objects enforce the rule. rowgate apply creates them.</p>
        {objects.map(({ label, sql }) => (
          <figure key={label}>
            <figcaption>{label}</figcaption>
            <pre>{sql}</pre>
          </figure>
        ))}
      </section>
    </>
  );
}
