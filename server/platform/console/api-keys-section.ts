import type pg from 'pg';
import type { Chosen, ConsoleSection } from '../../console/sections/section.ts';
import { type ListedApiKey, listApiKeys, revokeApiKey } from '../accounts/api-keys/key-store.ts';
import { count, pageOf, refuseMissing, wordsForTime } from './pages.ts';

/** The section of API keys. It never shows a key, because the database has only its digest. */
export const apiKeysSection: ConsoleSection = {
  name: 'api-keys',
  title: 'API keys',
  lists: [
    {
      name: 'keys',
      title: 'API keys',
      description:
        'With a key, a program uses the REST endpoints of its scopes. The secret part of a key is shown only once, by rowgate api-key create.',
      search: 'Part of a name, or an id',
      columns: [
        { title: 'Id', kind: 'code' },
        { title: 'Name' },
        { title: 'Scopes', kind: 'code' },
        { title: 'State' },
        { title: 'Role', kind: 'code' },
        { title: 'Organization', kind: 'code' },
        { title: 'Made', kind: 'time' },
        { title: 'Last used', kind: 'time' },
        { title: 'Ends', kind: 'time' },
      ],
      empty: 'No key. rowgate api-key create makes one.',
      acts: [
        {
          name: 'revoke',
          title: 'Revoke the keys',
          words: async (client, chosen) => {
            const keys = await keysIn(client, chosen);
            return {
              question: `Revoke ${count(keys.length, 'API key')}?`,
              lines: [
                ...keys.map(
                  (key) =>
                    `${key.id} “${key.name}” (${stateOf(key)}) for ${key.scopes.join(', ')}, ${lastUseOf(key)}.`,
                ),
                'Programs with these keys, and the SDK tokens that were issued to them, are refused at once. This cannot be undone: make a new key instead.',
              ],
            };
          },
          run: async (client, { keys }) => {
            const outcomes = [];
            for (const key of keys) outcomes.push(await revokeApiKey(client, key));
            const revoked = outcomes.filter((outcome) => outcome === 'revoked').length;
            return { done: `Revoked ${count(revoked, 'API key')}.` };
          },
        },
      ],
      read: async (client, { search, after: [after] = [], limit }) =>
        pageOf(await listApiKeys(client, { search, after, limit: limit + 1 }), limit, {
          rowOf: (key) => ({ key: key.id, cells: cellsOf(key) }),
          placeOf: ({ id }) => [id],
        }),
    },
  ],
};

async function keysIn(client: pg.ClientBase, { keys }: Chosen): Promise<readonly ListedApiKey[]> {
  const found = await listApiKeys(client, { ids: keys });
  refuseMissing(found, keys);
  return found;
}

function cellsOf(key: ListedApiKey) {
  const { id, name, scopes, role, organizationId, createdAt, lastUsedAt, expiresAt } = key;
  const times = [createdAt, lastUsedAt, expiresAt].map((time) => time?.toISOString() ?? null);
  return [id, name, scopes.join(', '), stateOf(key), role, organizationId, ...times];
}

function stateOf({ revokedAt, expiresAt }: ListedApiKey): string {
  if (revokedAt !== null) return 'revoked';
  return expiresAt !== null && expiresAt.getTime() <= Date.now() ? 'expired' : 'valid';
}

function lastUseOf({ lastUsedAt }: ListedApiKey): string {
  return lastUsedAt === null ? 'never used' : `last used ${wordsForTime(lastUsedAt.toISOString())}`;
}
