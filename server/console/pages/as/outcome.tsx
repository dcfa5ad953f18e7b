import type { Operation, SeenRow, TableFacts, Tried } from '../api/answers.ts';
import { askServer } from '../api/ask-server.ts';
import { Failure } from '../shell/failure.tsx';
import { useAnswer } from '../shell/use-answer.ts';
import { KeptTest } from './kept-test.tsx';
import type { Texts } from './subject.ts';
import { Value } from './value.tsx';

/** The question whether a caller may do an operation with one row. */
export interface Question {
  readonly role: string;
  readonly table: string;
  readonly operation: Operation;
  readonly sessionVariables: Texts;
  readonly key?: Texts;
  readonly values?: Readonly<Record<string, string | null>>;
}

interface OutcomeProps {
  readonly question: Question;
  readonly facts: TableFacts;
  readonly onSignedOut: () => void;
}

/** Asks whether an operation is allowed, and shows the conditions that decide it. */
export function Outcome({ question, facts, onSignedOut }: OutcomeProps) {
  const [asked, retry] = useAnswer(
    JSON.stringify(question),
    () => askServer<Tried>('/admin/as/try', question),
    onSignedOut,
  );
  if (asked.state === 'waiting') return <p class="quiet">Asking Postgres…</p>;
  if (asked.state === 'failed') return <Failure error={asked.error} retry={retry} />;
  const { allowed, reasons, rule, conditions, row, test } = asked.answer;
  const [outcome, ...others] = reasons;
  return (
    <section class="as-outcome" aria-label="Outcome">
      <p role="status">
        <strong>
          {allowed ? '✓ ' : '✗ '}
          {outcome}
        </strong>
      </p>
      {others.length > 0 && (
        <ul>
          {others.map((reason) => (
            <li key={reason}>{reason}</li>
          ))}
        </ul>
      )}
      {rule && (
        <p class="quiet">
          {rule.rows} ({rule.position.file}:{rule.position.line})
        </p>
      )}
      {question.operation === 'insert' && conditions.length > 0 && (
        <p class="quiet">
          Columns without a value count as null below, although Postgres uses their default.
        </p>
      )}
      {conditions.map(({ part, column, condition }) => (
        <div key={`${part} ${column}`}>
          <h3>{column === undefined ? titles[part] : `Rows that show ${column}`}</h3>
          <ul class="as-conditions">
            <Condition condition={condition as Evaluated} />
          </ul>
        </div>
      ))}
      {allowed && question.operation !== 'select' && question.operation !== 'delete' && (
        <Returned {...{ row, facts }} />
      )}
      {test === undefined ? (
        <p class="quiet">No test can expect this outcome alone.</p>
      ) : (
        <KeptTest name={`${question.role}-${question.table}`} text={test} />
      )}
    </section>
  );
}

const titles = {
  filter: 'Filter of the rule',
  'select filter': 'Filter of the select rule',
  check: 'Check of the new row',
  column: 'Column',
} as const;

type AnsweredCondition = Tried['conditions'][number]['condition'];

interface Evaluated extends Omit<AnsweredCondition, 'values' | 'items'> {
  readonly values: Readonly<Record<string, string | null>>;
  readonly items: readonly Evaluated[];
}

const marks = { true: '✓ true', false: '✗ false', unknown: '? unknown' } as const;

/** A condition with its result and values, and the conditions that it consists of. */
function Condition({ condition }: { readonly condition: Evaluated }) {
  const { words, result, values, missing, items } = condition;
  const facts = [
    ...Object.entries(values).map(([name, value]) => `${name} = ${value ?? 'null'}`),
    ...missing.map((header) => `${header} is missing`),
  ];
  return (
    <li>
      <span class={`as-mark ${missing.length > 0 ? 'false' : result}`}>
        {missing.length > 0 ? marks.false : marks[result]}
      </span>{' '}
      {words}
      {facts.length > 0 && <code> [{facts.join(', ')}]</code>}
      {items.length > 0 && (
        <ul>
          {items.map((item, index) => (
            <Condition key={index} condition={item} />
          ))}
        </ul>
      )}
    </li>
  );
}

function Returned({
  row,
  facts,
}: {
  readonly row: SeenRow | undefined;
  readonly facts: TableFacts;
}) {
  if (!row) return <p>The role would not see the row afterwards, so it gets nothing back.</p>;
  return (
    <>
      <h3>The row that the role gets back</h3>
      <table>
        <tbody>
          {facts.columns.map(({ name }, index) => (
            <tr key={name}>
              <th scope="row">{name}</th>
              <td>
                <Value row={row} column={index} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </>
  );
}
