import { shown } from '../../text/characters.ts';
import type { Coverage } from '../coverage/coverage.ts';

/** Returns what no test covers, and the numbers. */
export function printCoverage(rules: Coverage, conditions: Coverage): readonly string[] {
  const missing = (what: string, { uncovered }: Coverage) =>
    uncovered.map(({ position: { file, line, column }, words }) =>
      shown(`${file}:${line}:${column} no test ${what} ${words}`),
    );
  const number = (what: string, { covered, total }: Coverage) => `${covered} of ${total} ${what}`;
  return [
    ...missing('exercises', rules),
    ...missing('notices when', conditions),
    `covered: ${number('rules', rules)}, ${number('conditions', conditions)}`,
  ];
}
