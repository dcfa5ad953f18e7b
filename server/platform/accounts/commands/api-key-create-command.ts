import type pg from 'pg';
import { loadModel, metadataOption, roleNamed } from '../../../../permissions/index.ts';
import type { ServerCommand, ServerContext } from '../../../cli/command-context.ts';
import { ProcessError } from '../../../errors.ts';
import { digestOf, formatApiKey, newApiKey } from '../api-keys/api-key.ts';
import { lifetimeForm, parseLifetime } from '../api-keys/key-lifetime.ts';
import { hasOrganization, insertApiKey } from '../api-keys/key-store.ts';
import { type ApiKeyScope, apiKeyScopes } from '../user.ts';
import { withPlatform } from './with-platform.ts';

const maxNameLength = 100;

/** `rowgate api-key create` makes a key and prints it once, alone on standard output. */
export const apiKeyCreateCommand: ServerCommand = {
  name: 'api-key create',
  summary: 'make a key with which a program uses the REST endpoints of its scopes',
  options: {
    name: { type: 'string', help: 'a description for people' },
    scope: {
      type: 'string',
      multiple: true,
      help: `a permitted use; repeat the option for several: ${apiKeyScopes.join(', ')}`,
    },
    role: { type: 'string', help: 'the role of the metadata in which it reads; default none' },
    organization: {
      type: 'string',
      help: 'id of the only organization that it may access; default all',
    },
    'expires-in': { type: 'string', help: `${lifetimeForm}; default it does not expire` },
    ...metadataOption,
  },
  run: async (options, _positionals, context) => {
    const name = readName(options.name);
    const scopes = readScopes((options.scope ?? []) as readonly string[]);
    const expiresAt = readExpiry(options['expires-in']);
    const key = newApiKey();
    await withPlatform(context, async (owner) => {
      const role = await readRole(options, owner, context);
      const organizationId = await readOrganization(options.organization, owner);
      const digest = digestOf(key.secret);
      await insertApiKey(owner, {
        id: key.id,
        name,
        digest,
        scopes,
        role,
        organizationId,
        expiresAt,
      });
    });
    const end = expiresAt ? `until ${expiresAt.toISOString()}` : 'until it is revoked';
    context.printError(`made API key ${key.id} "${name}" for ${scopes.join(', ')}, ${end}`);
    context.printError('the key, which is shown this once:');
    context.print(formatApiKey(key));
    return 0;
  },
};

function readName(name: unknown): string {
  if (typeof name !== 'string') throw misused('api-key create lacks --name');
  if (/^[^\p{C}\p{Zl}\p{Zp}]+$/u.test(name) && name.trim() !== '' && name.length <= maxNameLength) {
    return name;
  }
  throw misused(`--name must be one line of at most ${maxNameLength} printable characters`);
}

function readScopes(given: readonly string[]): readonly ApiKeyScope[] {
  const known = `the scopes are ${apiKeyScopes.join(', ')}`;
  if (given.length === 0) throw misused('api-key create lacks --scope', known);
  const unknown = given.find((one) => !apiKeyScopes.some((scope) => scope === one));
  if (unknown !== undefined) throw misused(`there is no scope "${unknown}"`, known);
  return apiKeyScopes.filter((scope) => given.includes(scope));
}

function readExpiry(lifetime: unknown): Date | undefined {
  if (typeof lifetime !== 'string') return undefined;
  const milliseconds = parseLifetime(lifetime);
  if (milliseconds === undefined)
    throw misused(`--expires-in "${lifetime}" is not ${lifetimeForm}`);
  return new Date(Date.now() + milliseconds);
}

async function readRole(
  { role, metadata }: Readonly<Record<string, unknown>>,
  owner: pg.Client,
  { rolePrefix, headerPrefix }: ServerContext,
): Promise<string | undefined> {
  if (role === undefined) return undefined;
  // Every model has the role admin. Keys may not have this role, because it may read everything.
  if (role === 'admin')
    throw misused('an API key cannot have the role admin', 'name a role of roles.yaml');
  const model = await loadModel({
    metadata: String(metadata),
    client: owner,
    rolePrefix,
    headerPrefix,
  });
  return roleNamed(role, 'api-key create', model).name;
}

async function readOrganization(id: unknown, owner: pg.Client): Promise<string | undefined> {
  if (typeof id !== 'string') return undefined;
  if (await hasOrganization(owner, id)) return id.toLowerCase();
  throw misused(`there is no organization "${id}"`, '--organization takes the id of one');
}

function misused(
  message: string,
  hint = 'rowgate api-key create --help shows the options',
): ProcessError {
  return new ProcessError('RG_USAGE', message, { hint, exitCode: 2 });
}
