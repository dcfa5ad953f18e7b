import { migrateIfAllowed } from '../../apply/apply-metadata.ts';
import { CommandError } from '../../errors.ts';
import type { PrepareOptions } from '../../plan/prepare.ts';
import { runMutants } from '../../testing/mutate/run-mutants.ts';
import { printMutants, scoreOf } from '../../testing/report/print-mutants.ts';
import { hasPassed, printText } from '../../testing/report/print-text.ts';
import { runSuites, tablesWithoutControl } from '../../testing/run/run-suites.ts';
import { withTestedRules } from '../../testing/run/tested-rules.ts';
import { loadSuites } from '../../testing/suites/resolve-suites.ts';
import type { Command, CommandContext, ExitCode } from '../context/command.ts';
import { withOwner } from '../context/connection.ts';
import { printMistakes } from '../context/findings.ts';
import { jsonOption, metadataOption, prepareOptions } from '../context/options.ts';

/** `rowgate test` runs the tests of the metadata folder. It rolls back everything that it does. */
export const test: Command = {
  name: 'test',
  summary: 'run the tests beside the rules; changes nothing; exit 1 if one fails',
  options: {
    ...metadataOption,
    ...jsonOption,
    mutate: {
      type: 'boolean',
      default: false,
      help: 'weaken each rule in turn, and list the changes that no test notices',
    },
    'min-score': { type: 'string', help: 'with --mutate: exit 1 below this score (default: 100)' },
  },
  run: (options, _positionals, context) =>
    printMistakes(context, options.json === true, async () =>
      runOnce(options, await prepareOptions(options, context), context),
    ),
};

type Options = Readonly<Record<string, unknown>>;

/** @throws CommandError RG_USAGE */
function minScoreOf({ 'min-score': given = '100' }: Options): number {
  const score = Number(given);
  if (score >= 0 && score <= 100 && String(given).trim() !== '') return score;
  throw new CommandError('RG_USAGE', '--min-score must be a number from 0 to 100', { exitCode: 2 });
}

async function runOnce(
  options: Options,
  prepareWith: PrepareOptions,
  context: CommandContext,
): Promise<ExitCode> {
  return withOwner(context, async (client) => {
    await migrateIfAllowed(client, prepareWith);
    return withTestedRules(client, prepareWith, async (rules) => {
      const { model } = rules.prepared.loaded;
      const suites = await loadSuites(prepareWith.metadata, model);
      const searchPath = context.requestSearchPath?.(model) ?? 'pg_catalog, pg_temp';
      const results = await runSuites(suites, { rules, searchPath });
      const report = { results, withoutControl: tablesWithoutControl(results) };
      for (const line of printText(report)) context.print(line);
      if (!hasPassed(report)) return 1;
      if (options.mutate !== true) return 0;
      const mutants = await runMutants(suites, { rules, searchPath });
      for (const line of printMutants(mutants)) context.print(line);
      return scoreOf(mutants).percent >= minScoreOf(options) ? 0 : 1;
    });
  });
}
