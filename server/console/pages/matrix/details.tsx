import { Link } from '../shell/link.tsx';
import type { Go } from '../shell/place.ts';
import { RuleWords } from '../words/rule-words.tsx';
import type { Difference } from './compare.ts';
import type { CellRules } from './rules.ts';
import type { Table } from './view.ts';

interface AllRulesProps {
  readonly role: string;
  readonly table: Table;
  readonly rules: CellRules;
  readonly go: Go;
}

/** The rules of one role on one table, in words. */
export function AllRules({ role, table, rules, go }: AllRulesProps) {
  if (rules.size === 0) {
    return <p>The role has no rule on this table, so Postgres refuses everything.</p>;
  }
  return (
    <>
      {[...rules.values()].map((entry) => {
        const { operation } = entry;
        return (
          <div key={operation}>
            <h3>{operation}</h3>
            <RuleWords entry={entry} ofTable={table.columns.length} />
            <p>
              <Link
                go={go}
                place={{ screen: 'rule', values: { role, table: table.key, operation } }}
              >
                Show or change the {operation} rule
              </Link>
            </p>
          </div>
        );
      })}
      <p>
        <Link go={go} place={{ screen: 'as', values: { role, table: table.key } }}>
          Look at the rows as {role}
        </Link>
      </p>
    </>
  );
}

/** The differences between two roles on one table. */
export function DifferenceWords({ found }: { readonly found: readonly Difference[] }) {
  return (
    <>
      {found.map(({ operation, words }) => (
        <div key={operation}>
          <h3>{operation}</h3>
          <ul>
            {words.map((line) => (
              <li key={line}>{line}</li>
            ))}
          </ul>
        </div>
      ))}
    </>
  );
}
