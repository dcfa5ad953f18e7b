import type { ServerCommand } from '../../../cli/command-context.ts';
import { type ListedApiKey, listApiKeys } from '../api-keys/key-store.ts';
import { withPlatform } from './with-platform.ts';

/** `rowgate api-key list` shows the keys without their secrets. */
export const apiKeyListCommand: ServerCommand = {
  name: 'api-key list',
  summary: 'show the API keys, with their scopes, their last use and their end',
  options: { json: { type: 'boolean', default: false, help: 'print JSON' } },
  run: async (options, _positionals, context) => {
    const keys = await withPlatform(context, (owner) => listApiKeys(owner));
    if (options.json === true) context.print(JSON.stringify({ keys }, null, 2));
    else if (keys.length === 0) context.print('no API keys');
    else for (const key of keys) context.print(line(key));
    return 0;
  },
};

function line(key: ListedApiKey): string {
  const { expiresAt, revokedAt } = key;
  return [
    key.id,
    key.name,
    key.scopes.join('+'),
    ...(key.role === null ? [] : [`role ${key.role}`]),
    ...(key.organizationId === null ? [] : [`organization ${key.organizationId}`]),
    `made ${key.createdAt.toISOString()}`,
    key.lastUsedAt === null ? 'never used' : `last used ${key.lastUsedAt.toISOString()}`,
    ...(expiresAt === null ? [] : [`${expiry(expiresAt)} ${expiresAt.toISOString()}`]),
    ...(revokedAt === null ? [] : [`revoked ${revokedAt.toISOString()}`]),
  ].join('  ');
}

function expiry(at: Date): string {
  return at.getTime() <= Date.now() ? 'expired' : 'expires';
}
