import type { Application } from '../application.ts';
import { apiKeyCreateCommand } from './accounts/commands/api-key-create-command.ts';
import { apiKeyListCommand } from './accounts/commands/api-key-list-command.ts';
import { apiKeyRevokeCommand } from './accounts/commands/api-key-revoke-command.ts';
import { devTokenCommand } from './accounts/commands/dev-token-command.ts';
import { rotateKeysCommand } from './accounts/commands/rotate-keys-command.ts';
import { sessionEndCommand } from './accounts/commands/session-end-command.ts';
import { sessionListCommand } from './accounts/commands/session-list-command.ts';
import { userSetAdminCommand } from './accounts/commands/user-set-admin-command.ts';
import { personCallers, personVariables } from './accounts/person-caller.ts';
import { resolveSecretKey } from './accounts/secret-key.ts';
import { searchUsers } from './accounts/users/find-user.ts';
import { type PlatformSettings, readPlatformSettings } from './config/platform-config.ts';
import { platformGrants } from './grants.ts';
import { platformSchemas, platformTables } from './tables.ts';
import { callbacksListCommand } from './webhooks/callbacks/commands/callbacks-list-command.ts';
import { callbacksRetryCommand } from './webhooks/callbacks/commands/callbacks-retry-command.ts';
import { callbacksShowCommand } from './webhooks/callbacks/commands/callbacks-show-command.ts';

/** The platform for digital assets: accounts, documents, webhooks and jobs in addition to the data API. */
export const platform: Application<PlatformSettings> = {
  name: 'platform',
  migrations: ['platform'],
  schemas: platformSchemas,
  demoData: ['seed'],
  grants: platformGrants,
  requiredTables: platformTables,
  sessionVariables: Object.keys(personVariables),
  findPeople: async (client, text, model) => {
    const users = await searchUsers(client, text);
    // An e-mail address is unique in one organization only.
    return users.map((user) => ({
      name: `${user.email} (${user.id})`,
      callers: personCallers(user, model),
    }));
  },
  commands: [
    ...[apiKeyCreateCommand, apiKeyListCommand, apiKeyRevokeCommand],
    ...[rotateKeysCommand, devTokenCommand],
    ...[sessionListCommand, sessionEndCommand, userSetAdminCommand],
    ...[callbacksListCommand, callbacksShowCommand, callbacksRetryCommand],
  ],
  readSettings: readPlatformSettings,
  announce: ({ config, settings, url, parts }) => {
    const takesDevTokens = config.database.kind === 'embedded' && !settings.identity.provider;
    return [
      ...(parts.has('rest') ? [{ label: 'Sessions', text: `${url}/auth/session` }] : []),
      ...(takesDevTokens
        ? [{ label: 'A token', text: "rowgate dev-token --user 'local|alder-admin'" }]
        : []),
    ];
  },
  isNeeded: async ({ config, settings, parts, logger }) => {
    if (!parts.has('rest') && settings.identity.secretKey === undefined) {
      if (parts.has('graphql')) {
        logger.warn('sessions and tokens are not accepted here: ROWGATE_SECRET_KEY is not set');
      }
      return false;
    }
    await resolveSecretKey({ ...settings, ...config });
    return true;
  },
  // Loaded on demand, because most commands open nothing and start faster without this module.
  open: async (services) => (await import('./run-platform.ts')).runPlatform(services),
  openJobs: async ({ settings, config, ...services }) => {
    const { openPlatformJobs } = await import('./jobs/open-platform-jobs.ts');
    return openPlatformJobs({ ...services, config: { ...settings, ...config } });
  },
};
