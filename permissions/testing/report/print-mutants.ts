import { shown } from '../../text/characters.ts';
import { killingTest } from '../mutate/killing-test.ts';
import type { MutantResult } from '../mutate/run-mutants.ts';

/** The numbers of a mutation run. Mutants that change nothing, or that Postgres refuses, do not count. */
export interface MutationScore {
  readonly killed: number;
  readonly counted: number;
  /** From 0 to 100, rounded down to one digit. 0 if none counts, because then the tests have shown nothing. */
  readonly percent: number;
}

export function scoreOf(results: readonly MutantResult[]): MutationScore {
  const killed = results.filter(({ kind }) => kind === 'killed').length;
  const counted = killed + results.filter(({ kind }) => kind === 'survived').length;
  const percent = counted === 0 ? 0 : Math.floor((killed / counted) * 1000) / 10;
  return { killed, counted, percent };
}

/** Returns a sentence about a mutant, e.g. `accounting could select invoice with every row`. */
export function mutantText({ mutant: { role, operation, table, words } }: MutantResult): string {
  return `${role.name} ${operation} on ${table.name} ${words}`;
}

/** Returns the mutants that no test noticed, each with a test that would, and the score. */
export function printMutants(results: readonly MutantResult[]): readonly string[] {
  const lines = results.flatMap((result) => {
    if (result.kind !== 'survived') return [];
    const { file, line, column } = result.mutant.position;
    const head = `${file}:${line}:${column} ${result.mutant.mutator}: ${mutantText(result)}`;
    const reason =
      result.comparison?.verdict === 'undecided'
        ? [`    undecided: ${result.comparison.reason}`]
        : [];
    return [head, ...reason, ...killingTest(result).map((text) => `    ${text}`), ''].map(shown);
  });
  const { killed, counted, percent } = scoreOf(results);
  const count = (kind: MutantResult['kind']) => results.filter((one) => one.kind === kind).length;
  const left = `${count('equivalent')} change no row, ${count('refused')} are refused by Postgres`;
  return [
    ...lines,
    `mutation score ${percent} %: ${killed} of ${counted} changed rules are noticed (${left})`,
  ];
}
