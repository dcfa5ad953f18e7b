import { commands, metadataOption } from '../../permissions/index.ts';
import type { Application } from '../application.ts';
import { loadApplication } from '../applications.ts';
import type { ServerCommand } from '../cli/command-context.ts';
import type { Mounted, Program } from '../cli/command-line.ts';
import { serveOptions } from '../config/serve-options.ts';
import { eventsListCommand } from '../events/commands/events-list-command.ts';
import { eventsPauseCommand } from '../events/commands/events-pause-command.ts';
import { eventsRedeliverCommand } from '../events/commands/events-redeliver-command.ts';
import { eventsResumeCommand } from '../events/commands/events-resume-command.ts';
import { eventsShowCommand } from '../events/commands/events-show-command.ts';
import { eventsStatsCommand } from '../events/commands/events-stats-command.ts';
import { liveStatsCommand } from '../graphql/subscriptions/live-stats-command.ts';
import { mailListCommand } from '../mail/commands/mail-list-command.ts';
import { mailRetryCommand } from '../mail/commands/mail-retry-command.ts';
import { mailShowCommand } from '../mail/commands/mail-show-command.ts';
import { jobsHistoryCommand } from '../schedules/commands/jobs-history-command.ts';
import { jobsListCommand } from '../schedules/commands/jobs-list-command.ts';
import { jobsRunCommand } from '../schedules/commands/jobs-run-command.ts';
import { explainQueryCommand } from './explain-query-command.ts';
import { exportSdlCommand } from './export-sdl-command.ts';
import type { MountedContext } from './make-command-context.ts';
import { migrateCommand } from './migrate-command.ts';
import { mountCommand } from './mount-command.ts';
import { serverParts } from './server-parts.ts';

/** The program `rowgate`. */
export const rowgate: Program<Application> = { loadApplication, mountAll };

const serve: Mounted<Application> = {
  name: 'serve',
  summary: 'serve GraphQL over HTTP',
  options: serveOptions,
  // Imported on demand, because the other commands start faster without the GraphQL server.
  run: async (options, positionals, { config, application }) =>
    (await import('./serve-command.ts')).serve(options, positionals, config, application),
};

/** Lists all commands in the order of the help. */
function mountAll(application: Application | undefined): readonly Mounted<Application>[] {
  return [
    serve,
    ...[migrateCommand, ...commands, explainQueryCommand, exportSdlCommand].map(mount),
    mount(liveStatsCommand),
    ...[eventsListCommand, eventsShowCommand, eventsRedeliverCommand, eventsStatsCommand].map(
      mount,
    ),
    ...[eventsPauseCommand, eventsResumeCommand].map(mount),
    ...[jobsListCommand, jobsHistoryCommand, jobsRunCommand].map(mount),
    ...[mailListCommand, mailShowCommand, mailRetryCommand].map(mount),
    ...(application?.commands ?? []).map((command) => mount(withMetadata(command))),
  ];
}

/**
 * Adds the option `--metadata`. The application of a command comes from the metadata folder, so every command has this
 * option.
 */
function withMetadata(command: ServerCommand<MountedContext>): ServerCommand<MountedContext> {
  return { ...command, options: { ...metadataOption, ...command.options } };
}

function mount(command: ServerCommand<MountedContext>): Mounted<Application> {
  return mountCommand(command, serverParts);
}
