import type { ServerCommand } from '../../../../cli/command-context.ts';
import { ProcessError } from '../../../../errors.ts';
import { isUuid } from '../../../uuid.ts';
import { providerNames } from '../providers/callback-provider.ts';
import { type CallbackState, callbackStates, type Filter } from './callback-queries.ts';

/** The option for JSON output of several commands. */
export const jsonOption = {
  json: { type: 'boolean', default: false, help: 'print JSON' },
} as const satisfies ServerCommand['options'];

export const providerOption = {
  provider: { type: 'string', help: `${providerNames.join(', ')}; default all` },
} as const satisfies ServerCommand['options'];

/** Reads the id of a callback. @throws ProcessError RG_USAGE, exit 2 */
export function readId(text: string): string {
  if (isUuid(text)) return text.toLowerCase();
  throw usageError(`"${text}" is not the id of a callback`, 'rowgate callbacks list shows the ids');
}

/** Reads --provider and --state. @throws ProcessError RG_USAGE, exit 2 */
export function readFilter(options: Readonly<Record<string, unknown>>): Filter {
  const { provider, state } = options;
  if (provider !== undefined && !providerNames.some((name) => name === provider)) {
    throw usageError(
      `--provider is "${provider}"`,
      `the providers are ${providerNames.join(', ')}`,
    );
  }
  return {
    ...(provider !== undefined && { provider: String(provider) }),
    ...(state !== undefined && { state: readState(state) }),
  };
}

function readState(given: unknown): CallbackState {
  const found = callbackStates.find((one) => one === given);
  if (found) return found;
  throw usageError(`--state is "${given}"`, `the states are ${callbackStates.join(', ')}`);
}

/** Reads --limit. @throws ProcessError RG_USAGE, exit 2 */
export function readLimit(given: unknown): number {
  if (/^[1-9]\d{0,4}$/.test(String(given))) return Number(given);
  throw usageError(`--limit is "${given}"`, 'it must be a whole number from 1 to 99999');
}

/** Makes the error for wrong options. */
export function usageError(message: string, hint: string): ProcessError {
  return new ProcessError('RG_USAGE', message, { hint, exitCode: 2 });
}

/** Makes the error for an id that no callback has. */
export function noSuchCallback(id: string): ProcessError {
  return new ProcessError('RG_USAGE', `there is no callback with the id ${id}`, {
    hint: 'rowgate callbacks list shows the ids',
  });
}
