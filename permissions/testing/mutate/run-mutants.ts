import pg from 'pg';
import { compareRules } from '../../diff/rows/compare-rules.ts';
import type { RowComparison } from '../../diff/rows/row-comparison.ts';
import { isInterruption } from '../../errors.ts';
import type { Model } from '../../types/model.ts';
import { FailedStatement } from '../run/failed-statement.ts';
import { runTest, withSuite } from '../run/run-suite.ts';
import type { Session } from '../run/session.ts';
import { replaceRules } from '../run/tested-rules.ts';
import type { RunScope } from '../run-suites.ts';
import type { PermissionTest, Suite } from '../suites/suite.ts';
import { type Mutant, makeMutants } from './make-mutants.ts';

/** The result of testing a mutant. */
export type MutantResult = { readonly mutant: Mutant } & (
  | { readonly kind: 'killed'; readonly by: PermissionTest }
  /** No test failed. The comparison of rows is absent when the mutant changes no condition. */
  | { readonly kind: 'survived'; readonly comparison: RowComparison | undefined }
  /** The changed rule lets the same rows through, so that no test could fail. */
  | { readonly kind: 'equivalent' }
  /** Postgres refuses the changed rule, so that it cannot be applied. */
  | { readonly kind: 'refused'; readonly message: string }
);

/**
 * Weakens each rule in turn, and runs the tests of its role and table until one fails. The tests must pass with the
 * rules as they are.
 * @param chosen which mutants are made; default: all
 */
export async function runMutants(
  suites: readonly Suite[],
  scope: RunScope,
  chosen: (mutant: Mutant) => boolean = () => true,
): Promise<readonly MutantResult[]> {
  const { model } = scope.rules.prepared.loaded;
  const mutants = makeMutants(model).filter(chosen);
  const results = new Map<Mutant, MutantResult>();
  for (const suite of suites) {
    const byRule = Map.groupBy(suite.tests, ({ principal, table }) => ruleKey(principal, table));
    const open = mutants.filter((one) => !results.has(one) && byRule.has(ruleKey(one, one.table)));
    if (open.length === 0) continue;
    await withSuite(suite, scope.rules, scope.searchPath, async (session) => {
      for (const mutant of open) {
        const tests = inOrder(byRule.get(ruleKey(mutant, mutant.table)) ?? [], mutant);
        const result = await runMutant(mutant, tests, session);
        if (result) results.set(mutant, result);
      }
    });
  }
  return mutants.map((mutant) => results.get(mutant) ?? survivor(mutant, model));
}

function ruleKey({ role }: Pick<Mutant, 'role'>, { key }: Mutant['table']): string {
  return `${role.name} ${key}`;
}

/** Sorts the tests that most likely notice a mutant first. */
function inOrder(tests: readonly PermissionTest[], mutant: Mutant): readonly PermissionTest[] {
  return tests.toSorted((a, b) => rankOf(a, mutant) - rankOf(b, mutant));
}

function rankOf({ kind }: PermissionTest, { mutator, operation }: Mutant): number {
  if (mutator === 'column added' || mutator === 'operation added') return kind === 'may' ? 0 : 1;
  if (kind === 'may') return 3;
  if (kind === operation) return 0;
  return kind === 'matrix' || kind === 'list' ? 1 : 2;
}

/** Returns the result of a mutant, or undefined when none of the tests failed. */
async function runMutant(
  mutant: Mutant,
  tests: readonly PermissionTest[],
  session: Session,
): Promise<MutantResult | undefined> {
  const { client } = session.rules;
  const before = {
    model: session.model,
    role: session.model.roles.get(mutant.role.name) ?? mutant.role,
    table: mutant.table,
  };
  const after = mutated(session.model, mutant);
  const statements = replaceRules(session.rules, before, { ...after, table: mutant.table });
  try {
    await client.query(['savepoint rowgate_mutant', ...statements].join(';\n'));
    for (const test of tests) {
      if (await fails(test, { ...session, model: after.model })) {
        return { mutant, kind: 'killed', by: test };
      }
    }
    return undefined;
  } catch (error) {
    if (!(error instanceof pg.DatabaseError) || isInterruption(error)) throw error;
    return { mutant, kind: 'refused', message: error.message };
  } finally {
    await client.query('rollback to savepoint rowgate_mutant; release savepoint rowgate_mutant');
  }
}

/** Returns whether a test fails. A test that Postgres cannot run any more fails too. */
async function fails(test: PermissionTest, session: Session): Promise<boolean> {
  try {
    return (await runTest(test, session)).kind === 'failed';
  } catch (error) {
    if (isInterruption(error)) throw error;
    if (error instanceof pg.DatabaseError || error instanceof FailedStatement) return true;
    throw error;
  }
}

function mutated(model: Model, { role, table, rules }: Mutant) {
  const current = model.roles.get(role.name) ?? role;
  const changed = { ...current, tables: new Map(current.tables).set(table.key, rules) };
  return {
    role: changed,
    model: { ...model, roles: new Map(model.roles).set(role.name, changed) },
  };
}

/** Compares a mutant that no test noticed with its rule, because it may let the same rows through. */
function survivor(mutant: Mutant, model: Model): MutantResult {
  const { rows, table, role } = mutant;
  if (!rows) return { mutant, kind: 'survived', comparison: undefined };
  const rule = { table: table.key, requires: role.requires };
  const comparison = compareRules(
    { ...rule, expression: rows.before },
    { ...rule, expression: rows.after },
    { before: model, after: model },
  );
  return comparison.verdict === 'same'
    ? { mutant, kind: 'equivalent' }
    : { mutant, kind: 'survived', comparison };
}
