import { metadataOption } from '../../permissions/index.ts';
import type { Application } from '../application.ts';
import type { ServerCommand } from '../cli/command-context.ts';
import { prepareSidecarLogin } from '../db/logins/sidecar-login.ts';
import { gatewayScope, migrateScopes } from '../db/preparation.ts';
import { ProcessError } from '../errors.ts';
import type { MountedContext } from './make-command-context.ts';

/** `rowgate migrate` migrates the tables of the gateway and of the application to this version. */
export const migrateCommand: ServerCommand<MountedContext> = {
  name: 'migrate',
  summary: 'create the tables in the database, or migrate them to this version',
  options: {
    'events-only': {
      type: 'boolean',
      default: false,
      help: 'create only the tables for delivering events of your own tables',
    },
    seed: { type: 'boolean', default: false, help: 'also insert the demo data' },
    ...metadataOption,
  },
  run: async (options, _positionals, context) => {
    const scopes = scopesOf(options, context.application);
    const owner = await context.connectOwner();
    try {
      const ran = await migrateScopes(owner, scopes);
      for (const name of ran) context.print(`ran ${name}`);
      await prepareSidecarLogin(owner, await context.sidecarLogin(), context.application?.grants);
      if (ran.length === 0) context.print('the tables are up to date');
      return 0;
    } finally {
      await owner.end();
    }
  },
};

/** Selects the migration scopes. @throws ProcessError RG_USAGE (exit 2) */
function scopesOf(
  options: Readonly<Record<string, unknown>>,
  application: Application | undefined,
): readonly string[] {
  const seed = options.seed === true;
  if (options['events-only'] === true) {
    if (seed)
      throw usage('--seed inserts rows of the platform', 'leave out --seed or --events-only');
    return [gatewayScope];
  }
  if (!application) {
    if (seed) throw usage('--seed inserts rows of an application', nameOne);
    return [gatewayScope];
  }
  return [gatewayScope, ...application.migrations, ...(seed ? application.demoData : [])];
}

const nameOne = 'name one in rowgate.yaml of the metadata folder, as `application:`';

function usage(problem: string, hint: string): ProcessError {
  return new ProcessError('RG_USAGE', problem, { hint, exitCode: 2 });
}
