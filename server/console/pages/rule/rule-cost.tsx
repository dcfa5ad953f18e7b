import { useState } from 'preact/hooks';
import type { Static } from 'typebox';
import type { queryAnswer } from '../../../admin/bodies.ts';
import { askServer } from '../api/ask-server.ts';
import type { RuleContext } from '../api/change-answers.ts';
import { Failure } from '../shell/failure.tsx';
import type { ScreenProps } from '../shell/screens.ts';
import { useAnswer } from '../shell/use-answer.ts';

type Planned = Static<typeof queryAnswer>;

interface RuleCostProps extends Pick<ScreenProps, 'onSignedOut'> {
  readonly role: string;
  readonly found: Extract<RuleContext, { readonly kind: 'found' }>;
}

/** Compares the plan of reading all rows of the rule with the same plan without rules, on demand. */
export function RuleCost({ role, found, onSignedOut }: RuleCostProps) {
  const { query, variables } = found;
  const [asked, setAsked] = useState<Readonly<Record<string, string>>>();
  const ask = (event: SubmitEvent) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget as HTMLFormElement);
    const given = variables.map((name) => [name, String(form.get(name) ?? '')] as const);
    setAsked(Object.fromEntries(given.filter(([, value]) => value !== '')));
  };
  return (
    <section class="card" aria-labelledby="cost">
      <h2 id="cost">What the row rule costs</h2>
      <form class="filters" onSubmit={ask}>
        {variables.map((name) => (
          <label key={name}>
            {name}
            <input name={name} autocomplete="off" />
          </label>
        ))}
        <button type="submit">Compare the plans</button>
      </form>
      {asked && (
        <Plans
          key={JSON.stringify(asked)}
          body={{ role, query, sessionVariables: asked }}
          onSignedOut={onSignedOut}
        />
      )}
    </section>
  );
}

interface PlansProps extends Pick<ScreenProps, 'onSignedOut'> {
  readonly body: unknown;
}

function Plans({ body, onSignedOut }: PlansProps) {
  const ask = () => askServer<Planned>('/admin/explain/query', body);
  const [asked, retry] = useAnswer('', ask, onSignedOut);
  if (asked.state === 'waiting') return <p role="status">Asking the planner…</p>;
  if (asked.state === 'failed') return <Failure error={asked.error} retry={retry} />;
  const [planned] = asked.answer;
  if (!planned) return null;
  const { cost, withoutRules, missingIndexes } = planned;
  const free = withoutRules?.cost.estimated;
  return (
    <>
      <p role="status">
        Postgres estimates a cost of <strong>{rounded(cost.estimated)}</strong> for all rows
        {free !== undefined && (
          <>
            , and of <strong>{rounded(free)}</strong> without rules
          </>
        )}
        .
      </p>
      {missingIndexes.map(({ schema, table, filter, rows, columns }) => (
        <p key={filter}>
          It reads all {rows} rows of {schema}.{table} by {filter}, because no index begins with{' '}
          {columns.join(' or ')}.
        </p>
      ))}
    </>
  );
}

function rounded(cost: number): string {
  return Math.round(cost).toLocaleString('en');
}
