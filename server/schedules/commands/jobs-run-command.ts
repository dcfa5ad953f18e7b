import { metadataOption } from '../../../permissions/index.ts';
import type { ServerCommand, ServerContext } from '../../cli/command-context.ts';
import { loadRules } from '../../cli/load-rules.ts';
import { ProcessError } from '../../errors.ts';
import { makeLogger } from '../../log/log.ts';
import type { RunResult } from '../run-once.ts';
import type { JobsContext } from './jobs-context.ts';
import { onTerminal } from './with-jobs.ts';

/** `rowgate jobs run` runs a schedule now, in this process, regardless of earlier runs. */
export const jobsRunCommand: ServerCommand<JobsContext> = {
  name: 'jobs run',
  summary: 'run a schedule now and print its result; exits with 1 when it failed',
  positionals: [{ name: 'name', help: 'its name, as jobs list shows it' }],
  options: { json: { type: 'boolean', default: false, help: 'print JSON' }, ...metadataOption },
  run: async (options, [name = ''], context) => {
    const { schedules } = await loadRules(options, context);
    const schedule = schedules.get(name);
    if (!schedule) throw unknownSchedule(name, [...schedules.keys()]);
    // Imported on demand, because other commands start faster without this module.
    const { runHere } = await import('./run-here.ts');
    const result = await runHere(schedule, context, loggerOf(context));
    printResult(name, result, options.json === true, context);
    return result.state === 'ended' && result.ok ? 0 : 1;
  },
};

function printResult(
  name: string,
  result: RunResult,
  asJson: boolean,
  context: ServerContext,
): void {
  if (asJson) context.print(JSON.stringify({ name, ...result }, null, 2));
  else context.print(onTerminal(sentence(name, result)));
}

function sentence(name: string, result: RunResult): string {
  switch (result.state) {
    case 'ended':
      return `${name} ${result.ok ? 'ok' : 'failed'}: ${JSON.stringify(result.detail)}`;
    case 'busy':
      return `${name} is running already; rowgate jobs history shows where`;
    default:
      return `${name} was given up, because this process sent no heartbeat for too long`;
  }
}

/** Makes a logger for standard error, because standard output contains the result. */
function loggerOf({ config }: ServerContext) {
  return makeLogger(config, process.stderr);
}

function unknownSchedule(name: string, known: readonly string[]): ProcessError {
  return new ProcessError('RG_USAGE', `there is no schedule "${name}"`, {
    hint: known.length > 0 ? `there are ${known.join(', ')}` : 'metadata/cron.yaml has none',
    exitCode: 2,
  });
}
