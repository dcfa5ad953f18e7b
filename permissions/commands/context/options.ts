import type { PrepareOptions } from '../../plan/prepare.ts';
import type { CommandContext } from './command.ts';

/** The metadata folder when neither the option nor ROWGATE_METADATA names one. */
export const defaultMetadata = 'metadata';

/**
 * The `--metadata` option, which every command that reads metadata has. ROWGATE_METADATA replaces every default that is
 * `defaultMetadata`.
 */
export const metadataOption = {
  metadata: {
    type: 'string',
    default: defaultMetadata,
    help: 'the metadata folder (default: ROWGATE_METADATA, or metadata)',
  },
} as const;
/** The `--catalog` option of commands that can work without a database. */
export const catalogOption = {
  catalog: {
    type: 'string',
    help: 'use a file that rowgate catalog wrote; needs no database',
  },
} as const;
export const jsonOption = {
  json: { type: 'boolean', default: false, help: 'print JSON' },
} as const;
export const yesOption = {
  yes: { type: 'boolean', short: 'y', default: false, help: 'do not ask for a confirmation' },
} as const;

/** Combines the options of a command with the settings of the program. */
export async function prepareOptions(
  options: Readonly<Record<string, unknown>>,
  context: CommandContext,
): Promise<PrepareOptions> {
  const { name } = await context.gatewayLogin();
  return {
    metadata: String(options.metadata),
    rolePrefix: context.rolePrefix,
    headerPrefix: context.headerPrefix,
    inferFunctionPermissions: context.inferFunctionPermissions,
    authenticatedVariables: context.authenticatedVariables,
    applicationSchemas: context.applicationSchemas,
    login: name,
  };
}
