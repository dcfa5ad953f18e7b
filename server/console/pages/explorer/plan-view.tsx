import { useEffect, useState } from 'preact/hooks';
import type { ExplainedField } from '../api/answers.ts';
import { fetchFrom, posted, ServerError } from '../api/ask-server.ts';
import { Failure } from '../shell/failure.tsx';
import type { Asked } from '../shell/use-answer.ts';
import { bodyOf, givenHeaders, type Question } from './run-operation.ts';

interface PlanViewProps {
  readonly question: Question;
  readonly onSignedOut: () => void;
}

/** The SQL of a query and the plan of Postgres, on demand, because each explanation is recorded and takes time. */
export function PlanView({ question, onSignedOut }: PlanViewProps) {
  const [asked, setAsked] = useState<Asked<readonly ExplainedField[]>>();
  const [isMeasured, setMeasured] = useState(false);
  const key = JSON.stringify(question);
  useEffect(() => setAsked(undefined), [key]);
  const explain = async () => {
    setAsked({ state: 'waiting' });
    try {
      setAsked({ state: 'answered', answer: await explained(question, isMeasured) });
    } catch (error) {
      if (error instanceof ServerError && error.status === 401) onSignedOut();
      else setAsked({ state: 'failed', error });
    }
  };
  return (
    <section aria-labelledby="plan">
      <h2 id="plan">SQL and plan</h2>
      <p class="acts">
        <button type="button" onClick={explain} disabled={asked?.state === 'waiting'}>
          Show SQL and plan
        </button>
        <label>
          <input
            type="checkbox"
            checked={isMeasured}
            onChange={({ currentTarget }) => setMeasured(currentTarget.checked)}
          />{' '}
          run it and measure
        </label>
      </p>
      {asked?.state === 'waiting' && <p class="quiet">Postgres is planning…</p>}
      {asked?.state === 'failed' && <Failure error={asked.error} retry={explain} />}
      {asked?.state === 'answered' &&
        asked.answer.map((field) => <Field key={field.field} {...field} />)}
    </section>
  );
}

async function explained(question: Question, analyze: boolean): Promise<readonly ExplainedField[]> {
  const { role } = question;
  const body = bodyOf(question, { role, analyze, sessionVariables: givenHeaders(question) });
  return (await fetchFrom('/admin/explain/query', posted(body, {}))).json();
}

function Field({ field, sql, cost, plan, withoutRules, missingIndexes }: ExplainedField) {
  return (
    <>
      <h3>{field}</h3>
      <p>
        Cost {costWords(cost)}
        {withoutRules && <>; without rules {costWords(withoutRules.cost)}</>}
      </p>
      {missingIndexes.map(({ schema, table, filter, rows, columns }) => (
        <p key={filter} class="problem">
          Postgres reads all {rows} rows of {schema}.{table} for {filter}. An index on{' '}
          {columns.join(', ')} can help.
        </p>
      ))}
      <figure>
        <figcaption>SQL</figcaption>
        <pre>{sql}</pre>
      </figure>
      <figure>
        <figcaption>Plan</figcaption>
        <pre>{planLines(plan as PlanNode).join('\n')}</pre>
      </figure>
    </>
  );
}

function costWords({ estimated, milliseconds }: ExplainedField['cost']): string {
  const measured = milliseconds === undefined ? '' : `, measured ${milliseconds} ms`;
  return `${estimated} as Postgres estimates${measured}`;
}

/** A node of a plan in the JSON format of Postgres. */
interface PlanNode {
  readonly 'Node Type': string;
  readonly Schema?: string;
  readonly 'Relation Name'?: string;
  readonly 'Index Name'?: string;
  readonly Filter?: string;
  readonly 'Index Cond'?: string;
  readonly 'Plan Rows': number;
  readonly 'Actual Rows'?: number;
  readonly 'Total Cost': number;
  readonly Plans?: readonly PlanNode[];
}

/** Writes a plan as one line for each node, indented by depth. */
function planLines(node: PlanNode, depth = 0): readonly string[] {
  const table = node['Relation Name'];
  const where = [node['Index Cond'], node.Filter].filter((one) => one !== undefined);
  const actual = node['Actual Rows'];
  const line = [
    `${'  '.repeat(depth)}${node['Node Type']}`,
    table === undefined ? '' : ` on ${table}`,
    node['Index Name'] === undefined ? '' : ` by ${node['Index Name']}`,
    `, ${node['Plan Rows']} rows`,
    actual === undefined ? '' : ` (really ${actual})`,
    `, cost ${node['Total Cost']}`,
    where.length === 0 ? '' : ` where ${where.join(' and ')}`,
  ];
  return [line.join(''), ...(node.Plans ?? []).flatMap((one) => planLines(one, depth + 1))];
}
