import { listOf, parseJwtSecret, readAuthentication } from '../../../permissions/index.ts';
import { ProcessError } from '../../errors.ts';
import type { EnvironmentReader } from '../environment.ts';
import { type AuthWebhookConfig, readAuthWebhook } from './auth-webhook-config.ts';
import { AuthenticationProblem } from './authentication-problem.ts';
import { type JwtConfig, readJwtConfig } from './jwt-config.ts';
import type { SettingContext } from './setting-reader.ts';

/** The ways of identifying callers in addition to the admin secret. */
export interface AuthenticationConfig {
  /** One entry for each issuer and key. Empty: the server accepts no tokens. */
  readonly jwt: readonly JwtConfig[];
  readonly webhook: AuthWebhookConfig | undefined;
}

/** Lists the headers that carry credentials besides Authorization and Cookie, in lower case. */
export function credentialHeaders({ jwt, webhook }: AuthenticationConfig): readonly string[] {
  const custom = jwt.flatMap(({ location }) => (location.kind === 'header' ? [location.name] : []));
  const names = new Set([...custom, ...(webhook?.credentialHeaders ?? [])]);
  return [...names].filter((name) => name !== 'authorization' && name !== 'cookie');
}

const secretName = 'ROWGATE_JWT_SECRET';
const hookName = 'ROWGATE_AUTH_HOOK';

/** Reads and validates the settings from the environment. The reader collects the problems. */
export function readAuthenticationConfig(
  read: EnvironmentReader,
  headerPrefix: string,
): AuthenticationConfig {
  const context = { variable: () => undefined, isFile: false, headerPrefix };
  return {
    jwt: readJwtSecret(read, context),
    webhook: readHook(read, context),
  };
}

function readJwtSecret(read: EnvironmentReader, context: SettingContext): readonly JwtConfig[] {
  const text = read.text('ROWGATE_JWT_SECRET');
  const parsed = text === undefined ? { entries: [] } : parseJwtSecret(text);
  if ('problem' in parsed) {
    read.complain(secretName, parsed.problem);
    return [];
  }
  return parsed.entries.flatMap(
    (entry) => complaining(read, secretName, () => readJwtConfig(entry, context)) ?? [],
  );
}

function readHook(read: EnvironmentReader, context: SettingContext): AuthWebhookConfig | undefined {
  const url = read.webAddress('ROWGATE_AUTH_HOOK');
  const mode = read.choice('ROWGATE_AUTH_HOOK_MODE', ['GET', 'POST'] as const);
  const timeoutMs = read.integer('ROWGATE_AUTH_HOOK_TIMEOUT_MS', 100, 60_000);
  const prefix = read.pattern(
    'ROWGATE_AUTH_HOOK_CLAIMS_PREFIX',
    /^[A-Za-z][A-Za-z0-9-]{0,40}-$/,
    'like x-hasura-',
  );
  const headers = read.list('ROWGATE_AUTH_HOOK_CREDENTIAL_HEADERS');
  if (url === undefined) {
    const lost = [...read.names].find(
      (name) => name.startsWith(`${hookName}_`) && read.text(name) !== undefined,
    );
    return lost === undefined ? undefined : read.complain(lost, `also requires ${hookName}`);
  }
  const raw = {
    url,
    ...(mode && { mode }),
    ...(timeoutMs !== undefined && { timeout_ms: timeoutMs }),
    ...(prefix !== undefined && { claims_prefix: prefix }),
    ...(headers.length > 0 && { credential_headers: [...headers] }),
  };
  return complaining(read, hookName, () => readAuthWebhook(raw, context));
}

function complaining<T>(read: EnvironmentReader, name: string, make: () => T): T | undefined {
  try {
    return make();
  } catch (error) {
    if (error instanceof AuthenticationProblem) return read.complain(name, error.message);
    throw error;
  }
}

export interface FileAuthentication {
  /** The settings from the environment. */
  readonly environment: AuthenticationConfig;
  /** The metadata folder. */
  readonly metadata: string;
  readonly headerPrefix: string;
  readonly variable: SettingContext['variable'];
}

/**
 * Adds the settings under `authentication` of rowgate.yaml to the settings from the environment.
 * @throws ProcessError RG_CONFIG when both configure the same, or when a setting cannot be used
 */
export async function addFileAuthentication({
  environment,
  metadata,
  ...given
}: FileAuthentication): Promise<AuthenticationConfig> {
  const found = await readAuthentication(metadata);
  if (!found) return environment;
  const { file, line, column } = found.position;
  const refuse = (problem: string) =>
    new ProcessError('RG_CONFIG', `${file}:${line}:${column}: ${problem}`, { exitCode: 2 });
  const { jwt, webhook } = found.name;
  if (jwt && environment.jwt.length > 0)
    throw refuse(`authentication.jwt and ${secretName} are both set; remove one`);
  if (webhook && environment.webhook)
    throw refuse(`authentication.webhook and ${hookName} are both set; remove one`);
  const context = { ...given, isFile: true };
  const resolve = <T>(name: string, make: () => T): T => {
    try {
      return make();
    } catch (error) {
      if (error instanceof AuthenticationProblem)
        throw refuse(`authentication.${name} ${error.message}`);
      throw error;
    }
  };
  return {
    jwt: jwt
      ? listOf(jwt).map((one) => resolve('jwt', () => readJwtConfig(one, context)))
      : environment.jwt,
    webhook: webhook
      ? resolve('webhook', () => readAuthWebhook(webhook, context))
      : environment.webhook,
  };
}
