import type pg from 'pg';
import { meaningOf } from '../expressions/combine.ts';
import { killingTest } from '../testing/mutate/killing-test.ts';
import type { Mutant } from '../testing/mutate/make-mutants.ts';
import { runMutants } from '../testing/mutate/run-mutants.ts';
import { mutantText, scoreOf } from '../testing/report/print-mutants.ts';
import { type TestOptions, withTestedRules } from '../testing/run/tested-rules.ts';
import { nameOf, runSuites } from '../testing/run-suites.ts';
import { loadSuites } from '../testing/suites/resolve-suites.ts';
import type { PermissionTest, Suite } from '../testing/suites/suite.ts';
import type { Model } from '../types/model.ts';
import type { TableKey } from '../types/names.ts';

/** Mutants beyond this number are left out, because each one takes as long as the tests of its table. */
const maxMutants = 100;

/** The result of the tests that concern a draft. */
export interface TestedDraft {
  readonly total: number;
  /** The expectations that do not hold with the draft. */
  readonly failed: readonly { readonly name: string; readonly lines: readonly string[] }[];
  /** Weakened versions of the changed rules. Undefined where a test fails: a mutant counts as noticed then. */
  readonly mutants: TestedMutants | undefined;
}

export interface TestedMutants {
  readonly killed: number;
  readonly counted: number;
  readonly leftOut: number;
  /** Those that no test notices, each with the YAML of a test that would. */
  readonly survived: readonly { readonly words: string; readonly test: string }[];
}

export interface TestDraftOptions extends TestOptions {
  /** The rules without the draft. */
  readonly before: Model;
  /** Returns the search path of requests. */
  readonly searchPathOf: (model: Model) => string;
}

/**
 * Runs the tests of all tables whose rules a draft changes, and then weakens the changed rules. Everything is undone.
 * The changed tables are locked meanwhile.
 * @throws MetadataError when the draft cannot be applied, or the tests have mistakes
 */
export function testDraft(
  client: pg.ClientBase,
  { before, searchPathOf, ...options }: TestDraftOptions,
): Promise<TestedDraft> {
  return withTestedRules(client, options, async (rules) => {
    const { model } = rules.prepared.loaded;
    const changed = changedRules(before, model);
    const all = await loadSuites(options.metadata, model);
    const suites = withTests(all, ({ table }) => changed.has(table.key));
    const scope = { rules, searchPath: searchPathOf(model) };
    const results = await runSuites(suites, scope);
    const failed = results.flatMap((one) =>
      one.outcome.kind === 'failed' ? [{ name: nameOf(one), lines: one.outcome.lines }] : [],
    );
    let count = 0;
    const chosen = ({ role, table }: Mutant) => {
      if (!changed.get(table.key)?.has(role.name)) return false;
      count += 1;
      return count <= maxMutants;
    };
    const mutants = failed.length > 0 ? undefined : await runMutants(suites, scope, chosen);
    return {
      ...{ total: results.length, failed },
      mutants: mutants && {
        ...scoreOf(mutants),
        leftOut: Math.max(0, count - maxMutants),
        survived: mutants.flatMap((one) =>
          one.kind === 'survived'
            ? [{ words: mutantText(one), test: killingTest(one).join('\n') }]
            : [],
        ),
      },
    };
  });
}

/** Returns the tables whose rules differ, each with the roles. */
function changedRules(before: Model, after: Model): ReadonlyMap<TableKey, ReadonlySet<string>> {
  const changed = new Map<TableKey, Set<string>>();
  const names = new Set([...before.roles.keys(), ...after.roles.keys()]);
  names.delete('admin');
  for (const name of names) {
    const [old, now] = [before.roles.get(name)?.tables, after.roles.get(name)?.tables];
    for (const key of new Set([...(old?.keys() ?? []), ...(now?.keys() ?? [])])) {
      if (meaningOf(old?.get(key)) === meaningOf(now?.get(key))) continue;
      changed.set(key, (changed.get(key) ?? new Set()).add(name));
    }
  }
  return changed;
}

function withTests(
  suites: readonly Suite[],
  isConcerned: (test: PermissionTest) => boolean,
): readonly Suite[] {
  return suites
    .map((suite) => ({ ...suite, tests: suite.tests.filter(isConcerned) }))
    .filter(({ tests }) => tests.length > 0);
}
