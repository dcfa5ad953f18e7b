import { type Matrix, operations } from '../api/answers.ts';
import { Link } from '../shell/link.tsx';
import type { Go } from '../shell/place.ts';
import { originOf, verbs } from '../words/entry-words.ts';
import type { CellRules } from './rules.ts';

interface WhoCanProps {
  readonly matrix: Matrix;
  readonly rulesOf: (table: string, role: string) => CellRules;
  readonly table: string;
  readonly column: string;
  readonly go: Go;
}

/** The answer to "who can read this column?". */
export function WhoCan({ matrix, rulesOf, table, column, go }: WhoCanProps) {
  const uses = matrix.roles.flatMap(({ name: role }) =>
    operations.flatMap((operation) => {
      const entry = rulesOf(table, role).get(operation);
      const found = entry?.columns.find(({ name }) => name === column);
      return entry && found ? [{ role, operation, rows: found.rows ?? entry.rows, found }] : [];
    }),
  );
  const without = matrix.roles.filter(({ name }) => !uses.some(({ role }) => role === name));
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard scrolls a long answer
    <section class="who-can" aria-labelledby="who-can" tabIndex={0}>
      <h2 id="who-can">
        Who can use {table}.{column}?
      </h2>
      {uses.length > 0 && (
        <table>
          <thead>
            <tr>
              <th scope="col">Role</th>
              <th scope="col">May</th>
              <th scope="col">Rows</th>
              <th scope="col">Inherited</th>
            </tr>
          </thead>
          <tbody>
            {uses.map(({ role, operation, rows, found }) => (
              <tr key={`${operation} ${role}`}>
                <th scope="row">{role}</th>
                <td>
                  <Link go={go} place={{ screen: 'rule', values: { role, table, operation } }}>
                    {verbs[operation]}
                  </Link>
                </td>
                <td>{rows}</td>
                <td>{originOf(found.from)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      <p class="quiet">
        {without.length === 0
          ? 'Every role can use it.'
          : `No use for ${without.map(({ name }) => name).join(', ')}.`}{' '}
        The role admin may do everything.
      </p>
    </section>
  );
}
