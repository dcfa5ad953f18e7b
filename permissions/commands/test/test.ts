import type pg from 'pg';
import { migrateIfAllowed } from '../../apply/apply-metadata.ts';
import { CommandError } from '../../errors.ts';
import type { PrepareOptions } from '../../plan/prepare.ts';
import {
  conditionCoverage,
  isConditionMutant,
  ruleCoverage,
} from '../../testing/coverage/coverage.ts';
import type { OpenGraphql } from '../../testing/graphql/run-graphql.ts';
import { runMutants } from '../../testing/mutate/run-mutants.ts';
import { printCoverage } from '../../testing/report/print-coverage.ts';
import { printJunit } from '../../testing/report/print-junit.ts';
import { printMutants, scoreOf } from '../../testing/report/print-mutants.ts';
import { printTap } from '../../testing/report/print-tap.ts';
import { hasPassed, printText, type RunReport } from '../../testing/report/print-text.ts';
import { withTestedRules } from '../../testing/run/tested-rules.ts';
import { type RunScope, runSuites, tablesWithoutControl } from '../../testing/run-suites.ts';
import { loadSuites } from '../../testing/suites/resolve-suites.ts';
import type { Suite } from '../../testing/suites/suite.ts';
import type { Command, CommandContext, ExitCode } from '../context/command.ts';
import { withOwner } from '../context/connection.ts';
import { printMistakes } from '../context/findings.ts';
import { metadataOption, prepareOptions } from '../context/options.ts';
import { readTestOptions, type TestOptions } from './test-options.ts';
import { watchFolder } from './watch-folder.ts';

/** `rowgate test` runs the tests of the metadata folder. It rolls back everything that it does. */
export const test: Command = {
  name: 'test',
  summary: 'run the tests beside the rules, and undo everything; exit 1 if one fails',
  options: {
    ...metadataOption,
    format: { type: 'string', default: 'text', help: 'text, tap or junit' },
    graphql: { type: 'boolean', default: false, help: 'run the tests over GraphQL too' },
    coverage: {
      type: 'boolean',
      default: false,
      help: 'list the rules and conditions that no test covers',
    },
    mutate: {
      type: 'boolean',
      default: false,
      help: 'weaken each rule in turn, and list the changes that no test notices',
    },
    'min-score': { type: 'string', help: 'with --mutate: exit 1 below this score (default: 100)' },
    watch: {
      type: 'boolean',
      default: false,
      help: 'run again after each change of the folder, until Ctrl-C',
    },
  },
  positionals: [
    { name: 'file', help: 'run only this file of tests, e.g. invoice', optional: true },
  ],
  run: async (options, [file], context) => {
    const chosen = readTestOptions(options, file);
    const prepareWith = await prepareOptions(options, context);
    const once = () => printMistakes(context, false, () => runOnce(chosen, prepareWith, context));
    if (!chosen.isWatching) return once();
    return watchFolder(prepareWith.metadata, context.interruption(), () => {
      context.print(`\n${new Date().toLocaleTimeString()}`);
      return once();
    });
  },
};

async function runOnce(
  options: TestOptions,
  prepareWith: PrepareOptions,
  context: CommandContext,
): Promise<ExitCode> {
  return withOwner(context, async (client: pg.Client) => {
    await migrateIfAllowed(client, prepareWith);
    // An attempt that does not get its locks leaves no output behind.
    const { code, lines } = await withTestedRules(client, prepareWith, async (rules) => {
      const { model } = rules.prepared.loaded;
      const suites = await loadSuites(prepareWith.metadata, model, options.file);
      const searchPath = context.requestSearchPath?.(model) ?? 'pg_catalog, pg_temp';
      const openGraphql = options.hasGraphql ? graphqlOf(context) : undefined;
      const lines: string[] = [];
      const print = (line: string) => lines.push(line);
      const scope = { rules, searchPath, openGraphql };
      return { code: await runAndReport(suites, scope, options, print), lines };
    });
    printAll(lines, context.print);
    return code;
  });
}

/** @throws CommandError RG_USAGE when the program has no GraphQL */
function graphqlOf({ openGraphql }: CommandContext): OpenGraphql {
  if (openGraphql) return openGraphql;
  throw new CommandError('RG_USAGE', 'this program has no GraphQL, so --graphql has no effect', {
    hint: 'run rowgate test',
    exitCode: 2,
  });
}

async function runAndReport(
  suites: readonly Suite[],
  scope: RunScope,
  options: TestOptions,
  print: (line: string) => void,
): Promise<ExitCode> {
  const results = await runSuites(suites, scope);
  const report = { results, withoutControl: tablesWithoutControl(results) };
  printAll(printReport(report, options), print);
  // A mutant counts as noticed when a test fails, so no test may fail without it.
  if (!hasPassed(report)) return 1;
  if (options.hasCoverage) {
    const mutants = await runMutants(suites, scope, (mutant) => isConditionMutant(mutant));
    const { model } = scope.rules.prepared.loaded;
    printAll(printCoverage(ruleCoverage(suites, model), conditionCoverage(mutants)), print);
  }
  if (options.minScore === undefined) return 0;
  const mutants = await runMutants(suites, scope);
  printAll(printMutants(mutants), print);
  const { counted, percent } = scoreOf(mutants);
  return counted > 0 && percent >= options.minScore ? 0 : 1;
}

function printReport(report: RunReport, { format }: TestOptions): readonly string[] {
  if (format === 'tap') return printTap(report);
  return format === 'junit' ? printJunit(report) : printText(report);
}

function printAll(lines: readonly string[], print: (line: string) => void): void {
  for (const line of lines) print(line);
}
