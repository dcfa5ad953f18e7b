import { mkdtemp } from 'node:fs/promises';
import path from 'node:path';
import pino from 'pino';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import type { ServerCommand } from '../../../../../server/cli/command-context.ts';
import { exitCodeOf, failureText } from '../../../../../server/cli/failure.ts';
import { parseApiKey } from '../../../../../server/platform/accounts/api-keys/api-key.ts';
import { apiKeyCreateCommand } from '../../../../../server/platform/accounts/commands/api-key-create-command.ts';
import { apiKeyListCommand } from '../../../../../server/platform/accounts/commands/api-key-list-command.ts';
import { apiKeyRevokeCommand } from '../../../../../server/platform/accounts/commands/api-key-revoke-command.ts';
import { makeCommandContext } from '../../../../../server/start/make-command-context.ts';
import { serverParts } from '../../../../../server/start/server-parts.ts';
import { runCommand } from '../../../../support/command-line.ts';
import { createDatabase, type TestDatabase } from '../../../../support/database.ts';
import { platformMetadata } from '../../../../support/http.ts';
import { parsePlatformConfig, platformWith } from '../../../../support/platform.ts';
import { query } from '../../../../support/query.ts';

let database: TestDatabase;
let environment: Record<string, string>;

beforeAll(async () => {
  database = await createDatabase({ from: 'platform' });
  const folder = await mkdtemp(path.join(inject('scratch'), 'keys-'));
  environment = { DATABASE_URL: database.ownerUrl, ROWGATE_DATA_DIR: folder };
});
afterAll(() => database.drop());

const alder = '00000000-0000-4000-8000-000000000001';
const stored = (which: string) => `select k::text from rowgate_auth.api_key k where ${which}`;

/** Runs a command in this process and collects what it prints in `stdout`. */
async function runIn(
  settings: Readonly<Record<string, string>>,
  command: ServerCommand,
  options: Readonly<Record<string, unknown>> = {},
  ...positionals: readonly string[]
) {
  const { config } = parsePlatformConfig(settings, '/');
  const logger = pino({ level: 'silent' });
  const application = platformWith(config);
  const { context, close } = makeCommandContext({ config, application, logger, ...serverParts });
  let stdout = '';
  const print = (line: string) => {
    stdout += `${line}\n`;
  };
  try {
    const code = await command.run(options, positionals, { ...context, print });
    return { code, stdout, stderr: '' };
  } catch (error) {
    return { code: exitCodeOf(error), stdout, stderr: failureText(error, false) };
  } finally {
    await close();
  }
}

const run = (command: ServerCommand, options = {}, ...positionals: readonly string[]) =>
  runIn(environment, command, options, ...positionals);

test('rowgate api-key create prints only the key, list shows everything but the key, and revoke makes it invalid', async () => {
  const scopes = ['--scope', 'sdk:kyc', '--scope', 'sdk:workflow', '--scope', 'sdk:kyc'];
  const limits = ['--role', 'auditor', '--organization', alder, '--expires-in', '90d'];
  const args = ['api-key', 'create', '--name', 'Käse bot', ...scopes, ...limits];
  const made = await runCommand(args, environment);
  expect([made.code, made.stdout]).toEqual([
    0,
    expect.stringMatching(/^rg_[0-9a-f]{12}_[\w-]{43}\n$/),
  ]);
  const { id, secret } = parseApiKey(made.stdout.trim()) ?? { id: '', secret: '' };
  expect(made.stderr).toContain(`made API key ${id} "Käse bot" for sdk:workflow, sdk:kyc, until 2`);
  const people = await run(apiKeyListCommand);
  expect(people.stdout).toMatch(
    new RegExp(
      `^${id} {2}Käse bot {2}sdk:workflow\\+sdk:kyc {2}role auditor {2}organization ${alder} {2}made \\S+Z {2}never used {2}expires \\S+Z\n$`,
    ),
  );
  const programs = await run(apiKeyListCommand, { json: true });
  const [listed] = JSON.parse(programs.stdout).keys;
  expect(listed).toMatchObject({ id, role: 'auditor', organizationId: alder, revokedAt: null });
  const days = (Date.parse(listed.expiresAt) - Date.parse(listed.createdAt)) / 86_400_000;
  expect(days).toBeCloseTo(90, 2);
  const rows = JSON.stringify(await query(database.superuserUrl, stored('true')));
  expect(made.stderr + people.stdout + programs.stdout + rows).not.toContain(secret);
  expect((await run(apiKeyRevokeCommand, {}, id)).stdout).toBe(`revoked API key ${id}\n`);
  expect((await run(apiKeyRevokeCommand, {}, id)).stdout).toBe(
    `API key ${id} was revoked before\n`,
  );
  expect((await run(apiKeyListCommand)).stdout).toContain('  revoked 2');
});

describe('rowgate api-key create refuses', () => {
  const named = { name: 'x', scope: ['admin'] };
  test.each([
    ['a key without a name', { scope: ['admin'] }, 'lacks --name'],
    ['a name of two lines', { ...named, name: 'a\nb' }, '--name must be one line'],
    ['a key without a scope', { name: 'x' }, 'lacks --scope'],
    [
      'an unknown scope',
      { ...named, scope: ['admin', 'sdk'] },
      'there is no scope "sdk"\n  the scopes are sdk:workflow, sdk:kyc, case:read, admin',
    ],
    ['an unknown role', { ...named, role: 'auditors' }, 'did you mean "auditor"?'],
    ['the role admin', { ...named, role: 'admin' }, 'cannot have the role admin'],
    [
      'an organization that is not an id',
      { ...named, organization: "' or ''='" },
      'no organization',
    ],
    ['an unknown organization', { ...named, organization: alder.replace(/1$/, '9') }, 'there is'],
    ['a lifetime of zero', { ...named, 'expires-in': '0d' }, '--expires-in "0d" is not'],
  ])('%s', async (_title, options, message) => {
    const given = { metadata: platformMetadata, ...options };
    const { code, stdout, stderr } = await run(apiKeyCreateCommand, given);
    expect([code, stdout, stderr]).toEqual([2, '', expect.stringContaining(message)]);
    expect(await query(database.superuserUrl, stored("name = 'x'"))).toEqual([]);
  });
});

test('rowgate api-key revoke reports an unknown id without repeating it', async () => {
  const key = `rg_0123456789ab_${'x'.repeat(43)}`;
  const { code, stderr } = await run(apiKeyRevokeCommand, {}, key);
  expect([code, stderr]).toEqual([1, expect.not.stringContaining('xxx')]);
  expect(stderr).toContain('rowgate api-key list shows the ids');
});

test("rowgate api-key commands fail on a database without the platform's tables, and name the command that creates them", async () => {
  const empty = await createDatabase();
  const { code, stderr } = await runIn({ DATABASE_URL: empty.ownerUrl }, apiKeyListCommand);
  await empty.drop();
  expect([code, stderr]).toEqual([1, expect.stringContaining('run `rowgate migrate` first')]);
});
