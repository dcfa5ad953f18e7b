import type { ServerCommand } from '../../../cli/command-context.ts';
import { ProcessError } from '../../../errors.ts';
import { resolveSecretKey } from '../secret-key.ts';
import type { PlatformContext } from './platform-context.ts';
import { readUserOption, userOption } from './user-option.ts';
import { withPlatform } from './with-platform.ts';

/**
 * Maximum lifetime of a token. It is shorter than the time for which a replaced signing key still verifies tokens, so a
 * rotation ends no token early.
 */
const maxSeconds = 12 * 60 * 60;
const secondsOf = { s: 1, m: 60, h: 3600 } as const;

/** `rowgate dev-token` makes a token for development, when no identity provider is configured. */
export const devTokenCommand: ServerCommand<PlatformContext> = {
  name: 'dev-token',
  summary: 'print a token of a user, to try out the embedded database without a provider',
  options: {
    ...userOption,
    email: { type: 'string', help: "default: the user's own; a new user needs one" },
    name: { type: 'string', help: "default: the user's own" },
    'expires-in': { type: 'string', default: '12h', help: 'like 90s, 5m, 12h; at most 12h' },
  },
  run: async (options, _positionals, context) => {
    refuseElsewhere(context);
    const given = {
      user: readUser(options),
      email: readText(options, 'email', /^[^@\s\p{Cc}]{1,127}@[^@\s\p{Cc}]{1,126}$/u),
      name: readText(options, 'name', /^\P{Cc}{1,200}$/u),
      lifetimeSeconds: readLifetime(String(options['expires-in'])),
    };
    const { value: secretKey } = await resolveSecretKey({ ...context.config, ...context.settings });
    const { previousSecretKey } = context.settings.identity;
    // Loaded on demand, because other commands start faster without it.
    const { openSigningKeys } = await import('../signing/open-signing-keys.ts');
    const { makeDevToken } = await import('../tokens/local/dev-token.ts');
    const token = await withPlatform(context, async (owner) => {
      const keys = await openSigningKeys({ pool: owner, secretKey, previousSecretKey });
      return makeDevToken(owner, keys, given);
    });
    context.print(token);
    return 0;
  },
};

/**
 * Refuses to make a token when an identity provider is configured or the database is not embedded: no server would
 * accept it.
 */
function refuseElsewhere({ config, settings }: PlatformContext): void {
  const where =
    config.database.kind === 'given'
      ? 'DATABASE_URL is set: dev-token is for the embedded database'
      : 'ROWGATE_IDP_ISSUER is set: tokens of dev-token are not accepted when a provider is configured';
  if (config.database.kind === 'embedded' && !settings.identity.provider) return;
  throw new ProcessError('RG_CONFIG', where, {
    hint: 'get a token from the identity provider, or unset the variable',
    exitCode: 2,
  });
}

function readUser(options: Readonly<Record<string, unknown>>): string {
  const user = readUserOption(options, 'dev-token');
  if (/^\P{Cc}{1,255}$/u.test(user)) return user;
  throw unusable('user');
}

function readText(
  options: Readonly<Record<string, unknown>>,
  name: string,
  form: RegExp,
): string | undefined {
  const given = options[name];
  if (given === undefined) return undefined;
  if (form.test(String(given))) return String(given);
  throw unusable(name);
}

function readLifetime(text: string): number {
  const [, number = '', unit = ''] = /^([1-9]\d{0,4})([smh])$/.exec(text) ?? [];
  const seconds = Number(number) * (secondsOf[unit as keyof typeof secondsOf] ?? 0);
  if (seconds > 0 && seconds <= maxSeconds) return seconds;
  throw unusable('expires-in');
}

function unusable(option: string): ProcessError {
  return new ProcessError('RG_USAGE', `--${option} has a value that cannot be used`, {
    hint: 'rowgate dev-token --help shows the options',
    exitCode: 2,
  });
}
