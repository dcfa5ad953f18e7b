import { prepareSidecarLogin } from '../db/logins/sidecar-login.ts';
import { type MigrationScope, migrateScopes } from '../db/preparation.ts';
import { ProcessError } from '../errors.ts';
import type { ServerCommand } from './command-context.ts';

/** `rowgate migrate`: brings the tables of the gateway and of the platform up to this version. */
export const migrateCommand: ServerCommand = {
  name: 'migrate',
  summary: "bring the platform's tables into the database, or up to this version",
  options: {
    'events-only': {
      type: 'boolean',
      default: false,
      help: 'bring in only what the worker needs to deliver events of your own tables',
    },
    seed: { type: 'boolean', default: false, help: 'bring the demo data in, too' },
  },
  run: async (options, _positionals, context) => {
    const scopes = scopesOf(options);
    const owner = await context.connectOwner();
    try {
      const ran = await migrateScopes(owner, scopes);
      for (const name of ran) context.print(`ran ${name}`);
      await prepareSidecarLogin(owner, await context.sidecarLogin());
      if (ran.length === 0) context.print('nothing to migrate');
      return 0;
    } finally {
      await owner.end();
    }
  },
};

/** Throws RG_USAGE (exit 2). */
function scopesOf(options: Readonly<Record<string, unknown>>): readonly MigrationScope[] {
  const seed = options.seed === true;
  if (options['events-only'] !== true) {
    return seed ? ['gateway', 'platform', 'seed'] : ['gateway', 'platform'];
  }
  if (!seed) return ['gateway'];
  throw new ProcessError('RG_USAGE', '--seed brings in rows of the platform', {
    hint: 'leave out --seed or --events-only',
    exitCode: 2,
  });
}
