import { useState } from 'preact/hooks';
import type { Operation, SeenRow, TableFacts } from '../api/answers.ts';
import { Details } from '../shell/details.tsx';
import { Link } from '../shell/link.tsx';
import type { Go } from '../shell/place.ts';
import { Outcome } from './outcome.tsx';
import { placeOf, type Subject, type Texts, wordsOf } from './subject.ts';
import { TryForm } from './try-form.tsx';
import { Value } from './value.tsx';

interface RowDetailsProps {
  readonly subject: Subject;
  readonly facts: TableFacts;
  readonly row: SeenRow;
  readonly go: Go;
  readonly close: () => void;
  readonly onSignedOut: () => void;
}

/** One row: its values, the rows that relate to it, and what the role may do with it. */
export function RowDetails({ subject, facts, row, go, close, onSignedOut }: RowDetailsProps) {
  const [task, setTask] = useState<Operation>();
  const { role, variables } = subject;
  const question = { role, sessionVariables: variables, table: facts.key, key: row.key };
  const tasks = [
    ['select', row.isSeen ? 'Why this row?' : 'Why not this row?'],
    ['update', 'Try an update'],
    ['delete', 'Try a delete'],
  ] as const;
  return (
    <Details title={`Row ${wordsOf(row.key)}`} close={close}>
      {!row.isSeen && <p>⊘ {role} does not see this row.</p>}
      <p class="as-tasks">
        {tasks.map(([name, title]) => (
          <button
            key={name}
            type="button"
            aria-expanded={task === name}
            onClick={() => setTask(task === name ? undefined : name)}
          >
            {title}
          </button>
        ))}
      </p>
      {task === 'select' && (
        <Outcome
          question={{ ...question, operation: 'select' }}
          facts={facts}
          onSignedOut={onSignedOut}
        />
      )}
      {(task === 'update' || task === 'delete') && (
        <TryForm
          {...{ subject, facts, onSignedOut }}
          key={task}
          operation={task}
          rowKey={row.key}
        />
      )}
      {task && (
        <p>
          <Link
            go={go}
            place={{ screen: 'rule', values: { role, table: facts.key, operation: task } }}
          >
            Show or change the {task} rule
          </Link>
        </p>
      )}
      <Values {...{ row, facts }} />
      <Related {...{ subject, facts, row, go }} />
    </Details>
  );
}

const reasons = {
  'all rows': 'yes',
  'some rows': 'not in this row',
  'no row': 'no: the rule does not list the column',
} as const;

function Values({ row, facts }: Pick<RowDetailsProps, 'row' | 'facts'>) {
  const reasonOf = (index: number, shown: keyof typeof reasons) => {
    if (!row.isSeen) return 'no: the row is hidden';
    return row.hidden.includes(index) ? reasons[shown] : 'yes';
  };
  return (
    <>
      <h3>Values</h3>
      <table>
        <thead>
          <tr>
            <th scope="col">column</th>
            <th scope="col">value</th>
            <th scope="col">seen by the role</th>
          </tr>
        </thead>
        <tbody>
          {facts.columns.map(({ name, shown }, index) => (
            <tr key={name}>
              <th scope="row">{name}</th>
              <td>
                <Value row={row} column={index} />
              </td>
              <td>{reasonOf(index, shown)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </>
  );
}

/** Longer values are cut by the server, so they find no related row. */
const maxValueLength = 499;

function Related({ subject, facts, row, go }: Omit<RowDetailsProps, 'close' | 'onSignedOut'>) {
  const names = facts.columns.map(({ name }) => name);
  const matchOf = (columns: TableFacts['relationships'][number]['columns']): Texts | undefined => {
    const pairs = columns.flatMap(({ local, remote }) => {
      const value = row.values[names.indexOf(local)] ?? null;
      return value === null || value.length > maxValueLength ? [] : [[remote, value] as const];
    });
    return pairs.length === columns.length ? Object.fromEntries(pairs) : undefined;
  };
  if (facts.relationships.length === 0) return null;
  return (
    <>
      <h3>Related rows</h3>
      <ul>
        {facts.relationships.map(({ name, kind, table, columns, isUsable }) => {
          const match = matchOf(columns);
          return (
            <li key={name}>
              {match ? (
                <Link go={go} place={placeOf(subject, { table, match })}>
                  {name}
                </Link>
              ) : (
                `${name}: none`
              )}{' '}
              <span class="quiet">
                {kind === 'object' ? 'one row' : 'rows'} of {table}
                {!isUsable && '; ⊘ the role may not follow it'}
              </span>
            </li>
          );
        })}
      </ul>
    </>
  );
}
