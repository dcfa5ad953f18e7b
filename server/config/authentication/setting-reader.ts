import type { RawSetting } from '../../../permissions/index.ts';
import { AuthenticationProblem } from './authentication-problem.ts';

/** Resolves the settings of JWT and webhook authentication. */
export interface SettingContext {
  /** Returns an environment variable, or undefined when it is not set. */
  readonly variable: (name: string) => string | undefined;
  /** Whether the settings come from a file, which must not contain secrets. */
  readonly isFile: boolean;
  /** The prefix of headers for roles and session variables. */
  readonly headerPrefix: string;
}

/** Returns a setting as text. @throws AuthenticationProblem when its environment variable is not set */
export function textOf(setting: RawSetting, { variable }: SettingContext): string {
  if (typeof setting === 'string') return setting;
  const value = variable(setting.from_env)?.trim();
  if (value) return value;
  throw new AuthenticationProblem(`names the variable ${setting.from_env}, which is not set`);
}

/** Returns a setting as an http or https URL. @throws AuthenticationProblem */
export function urlOf(name: string, setting: RawSetting, context: SettingContext): string {
  const text = textOf(setting, context);
  const url = URL.parse(text);
  if (!url || !/^https?:$/.test(url.protocol)) {
    throw new AuthenticationProblem(`has a ${name} that is not an http or https URL`);
  }
  if (url.username !== '' || url.password !== '') {
    throw new AuthenticationProblem(`has a ${name} with a login, which is not sent`);
  }
  return text;
}

/** Lists the accepted prefixes of claims, in lower case. */
export function claimsPrefixes(
  given: string | undefined,
  { headerPrefix }: SettingContext,
): readonly string[] {
  const prefixes = given === undefined ? [headerPrefix, 'x-hasura-'] : [given];
  return [...new Set(prefixes.map((prefix) => prefix.toLowerCase()))];
}
