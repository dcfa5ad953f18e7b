import type { Matrix, RoleFacts } from '../api/answers.ts';
import { askServer } from '../api/ask-server.ts';
import { Failure } from '../shell/failure.tsx';
import { Link } from '../shell/link.tsx';
import type { Go } from '../shell/place.ts';
import type { ScreenProps } from '../shell/screens.ts';
import { Title } from '../shell/title.tsx';
import { useAnswer } from '../shell/use-answer.ts';
import { CallerForm } from './caller-form.tsx';
import { PeopleSearch } from './people-search.tsx';
import { RowsOf } from './rows.tsx';
import { type AsMemory, placeOf, type Subject } from './subject.ts';

/** The data as a role or a person sees it: tables, rows, relationships, and writes that are tried and undone. */
export function AsScreen({ place, go, matrix, onSignedOut }: ScreenProps) {
  const role = place.values.role ?? matrix.roles[0]?.name;
  if (role === undefined) return <p role="status">The metadata has no role yet.</p>;
  const isKnown = matrix.roles.some(({ name }) => name === role);
  return (
    <>
      <Title>The data as a role or person sees it</Title>
      {isKnown ? (
        <AsRole {...{ role, place, go, matrix, onSignedOut }} />
      ) : (
        <p role="status">
          There is no role “{role}”.{' '}
          <Link go={go} place={{ screen: 'as', values: {} }}>
            Choose another role
          </Link>
        </p>
      )}
    </>
  );
}

interface AsRoleProps extends Pick<ScreenProps, 'place' | 'go' | 'matrix' | 'onSignedOut'> {
  readonly role: string;
}

function AsRole({ role, place, go, matrix, onSignedOut }: AsRoleProps) {
  const [asked, retry] = useAnswer(
    role,
    () => askServer<RoleFacts>(`/admin/as/role?${new URLSearchParams({ role })}`),
    onSignedOut,
  );
  const { table, rows } = place.values;
  const memory: AsMemory = place.memory ?? {};
  const facts = asked.state === 'answered' ? asked.answer : undefined;
  const subject = facts && subjectOf(role, memory, facts);
  const isKnown = matrix.tables.some(({ key }) => key === table);
  const view = { ...(table !== undefined && { table }) };
  const act = (caller: Subject) => go(placeOf(caller, view));
  return (
    <>
      <div class="as-head">
        <CallerForm
          {...{ role, facts, memory }}
          roles={matrix.roles.map(({ name }) => name)}
          choose={(name) => go({ screen: 'as', values: { role: name, table } })}
          act={act}
        />
        <TableChoice
          {...{ table, matrix }}
          choose={(name) => {
            const { variables, person } = memory;
            go({ screen: 'as', values: { role, table: name }, memory: { variables, person } });
          }}
        />
        {facts?.findsPeople && <PeopleSearch act={act} onSignedOut={onSignedOut} />}
      </div>
      {asked.state === 'failed' && <Failure error={asked.error} retry={retry} />}
      {facts && <p role="status">{subject ? callerWords(subject) : askForVariables}</p>}
      {subject && table === undefined && <Tables {...{ subject, matrix, go }} />}
      {subject && table !== undefined && !isKnown && (
        <p role="status">There is no table “{table}”. Choose one above.</p>
      )}
      {subject && table !== undefined && isKnown && (
        <RowsOf
          {...{ subject, table, memory, go, onSignedOut }}
          key={table}
          withHidden={rows === 'all'}
        />
      )}
    </>
  );
}

/** Returns the caller. Undefined until the session variables that its rules read were chosen. */
function subjectOf(
  role: string,
  { variables, person }: AsMemory,
  facts: RoleFacts,
): Subject | undefined {
  if (!variables && facts.variables.length > 0) return undefined;
  return { role, variables: variables ?? {}, ...(person !== undefined && { person }) };
}

const askForVariables =
  'Give the session variables, or leave them empty, then choose “Look at the data”.';

function callerWords({ role, variables, person }: Subject): string {
  const who = person === undefined ? `${role} sees` : `${person} sees as ${role}`;
  const isBare = Object.keys(variables).length === 0;
  return `You see what ${who}${isBare ? ', without session variables' : ''}.`;
}

interface TableChoiceProps {
  readonly table: string | undefined;
  readonly matrix: Matrix;
  readonly choose: (table: string) => void;
}

/** Chooses among all tables, because a role may write to tables that it cannot read. */
function TableChoice({ table, matrix, choose }: TableChoiceProps) {
  return (
    <form class="filters" onSubmit={(event) => event.preventDefault()}>
      <label>
        Table
        <select value={table ?? ''} onChange={({ currentTarget }) => choose(currentTarget.value)}>
          <option value="" disabled>
            choose a table
          </option>
          {matrix.tables.map(({ key }) => (
            <option key={key}>{key}</option>
          ))}
        </select>
      </label>
    </form>
  );
}

interface TablesProps {
  readonly subject: Subject;
  readonly matrix: Matrix;
  readonly go: Go;
}

/** The tables that the role may read, as links. */
function Tables({ subject, matrix, go }: TablesProps) {
  const { role } = subject;
  const read = matrix.entries.filter(
    (entry) => entry.role === role && entry.operation === 'select',
  );
  return (
    <section aria-labelledby="tables">
      <h2 id="tables">Tables that {role} may read</h2>
      {read.length === 0 && (
        <p role="status">None. Choose another role, or a table above to try writes on it.</p>
      )}
      <ul class="as-tables">
        {read.map((entry) => (
          <li key={entry.table}>
            <Link go={go} place={placeOf(subject, { table: entry.table })}>
              {entry.table}
            </Link>
            <span class="quiet"> {entry.rows}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}
