import type pg from 'pg';
import { type Diagnostic, formatDiagnostic } from '../diagnostics.ts';
import { MetadataError } from '../errors.ts';
import { type Prepared, type PrepareOptions, pinSettings, prepare } from '../plan/prepare.ts';
import type { CommandContext, ExitCode } from './command.ts';

/** Options that every command about metadata takes. */
export const metadataOption = {
  metadata: { type: 'string', default: 'metadata', help: 'the metadata folder (default metadata)' },
} as const;
export const jsonOption = {
  json: { type: 'boolean', default: false, help: 'print JSON' },
} as const;
export const yesOption = {
  yes: { type: 'boolean', short: 'y', default: false, help: 'do not ask' },
} as const;

/** Gives work a connection as the owner, and ends it. */
export async function withOwner<T>(
  context: CommandContext,
  work: (client: pg.Client) => Promise<T>,
): Promise<T> {
  const client = await context.connectOwner();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

/** Looks without changing anything: one read-only snapshot with a pinned search_path. */
export async function withSnapshot<T>(
  context: CommandContext,
  work: (client: pg.Client) => Promise<T>,
): Promise<T> {
  return withOwner(context, async (client) => {
    await client.query('begin isolation level repeatable read read only');
    await client.query(pinSettings);
    try {
      return await work(client);
    } finally {
      await client.query('rollback');
    }
  });
}

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
    login: name,
  };
}

/** Tells findings; 1 where one of them is an error, or a warning under `strict`. */
export function tell(
  findings: readonly Diagnostic[],
  context: CommandContext,
  options: { readonly json: boolean; readonly strict: boolean },
): ExitCode {
  if (options.json) context.print(JSON.stringify({ findings }, null, 2));
  else for (const finding of findings) context.printError(formatDiagnostic(finding));
  return findings.some((one) => one.severity === 'error' || options.strict) ? 1 : 0;
}

/** Runs work; mistakes in the metadata are told and end it with 1. */
export async function tellingMistakes(
  context: CommandContext,
  json: boolean,
  work: () => Promise<ExitCode>,
): Promise<ExitCode> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof MetadataError)) throw error;
    tell(error.diagnostics, context, { json, strict: true });
    return error.diagnostics.some((one) => one.code === 'RG_FILE_UNREADABLE') ? 2 : 1;
  }
}

/** Gives work the metadata compared with the database; changes nothing, and tells mistakes as tellingMistakes does. */
export async function withPrepared(
  options: Readonly<Record<string, unknown>>,
  context: CommandContext,
  work: (client: pg.Client, prepared: Prepared) => Promise<ExitCode>,
): Promise<ExitCode> {
  return tellingMistakes(context, options.json === true, async () => {
    const wanted = await prepareOptions(options, context);
    return withSnapshot(context, async (client) => work(client, await prepare(client, wanted)));
  });
}
