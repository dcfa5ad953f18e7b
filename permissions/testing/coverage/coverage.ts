import type { Position } from '../../diagnostics.ts';
import { shortTable } from '../../expressions/describe.ts';
import type { Model } from '../../types/model.ts';
import { type Operation, operations } from '../../types/rules.ts';
import type { MutantResult } from '../mutate/run-mutants.ts';
import type { PermissionTest, Suite } from '../suites/suite.ts';

/** A rule or a condition that no test covers. */
export interface Uncovered {
  readonly position: Position;
  /** E.g. `auditor select on invoice`. */
  readonly words: string;
}

/** How many of the rules, or of their conditions, the tests cover. */
export interface Coverage {
  readonly covered: number;
  readonly total: number;
  readonly uncovered: readonly Uncovered[];
}

/** Returns which rules the tests exercise: those that decide about a row in some test. Rights alone do not count. */
export function ruleCoverage(suites: readonly Suite[], model: Model): Coverage {
  const exercised = new Set(
    suites.flatMap(({ tests }) =>
      tests.flatMap((test) =>
        operationsOf(test).map((operation) =>
          ruleName(test.principal.role.name, operation, test.table.key),
        ),
      ),
    ),
  );
  const rules = [...model.roles.values()]
    .filter(({ name }) => name !== 'admin')
    .flatMap((role) =>
      [...role.tables].flatMap(([key, rule]) =>
        operations.flatMap((operation) => {
          const position = rule[operation]?.position;
          return position ? [{ position, words: ruleName(role.name, operation, key) }] : [];
        }),
      ),
    );
  const uncovered = rules.filter(({ words }) => !exercised.has(words));
  return { covered: rules.length - uncovered.length, total: rules.length, uncovered };
}

/** Returns the operations whose rules decide about a row in a test. Rights alone decide about none. */
export function operationsOf({ kind }: PermissionTest): readonly Operation[] {
  switch (kind) {
    case 'may':
      return [];
    case 'matrix':
      return ['select', 'update', 'delete'];
    case 'list':
    case 'aggregates':
      return ['select'];
    default:
      return [kind];
  }
}

function ruleName(role: string, operation: Operation, table: string): string {
  return `${role} ${operation} on ${shortTable(table)}`;
}

/** Mutants by which the coverage of conditions is measured. */
export function isConditionMutant({ mutator }: MutantResult['mutant']): boolean {
  const words = ['condition dropped', 'role widened', 'check removed', 'relationship shortened'];
  return words.includes(mutator);
}

/** Returns which conditions decide in the tests: a condition is covered when a test fails without it. */
export function conditionCoverage(results: readonly MutantResult[]): Coverage {
  const counted = results.filter(
    ({ kind, mutant }) => isConditionMutant(mutant) && (kind === 'killed' || kind === 'survived'),
  );
  const uncovered = counted.flatMap(
    ({ kind, mutant: { role, operation, table, words, position } }) =>
      kind === 'killed'
        ? []
        : [{ position, words: `${ruleName(role.name, operation, table.key)} holds ${words}` }],
  );
  return { covered: counted.length - uncovered.length, total: counted.length, uncovered };
}
