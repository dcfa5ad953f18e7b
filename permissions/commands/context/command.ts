import type { ParseArgsConfig } from 'node:util';
import type pg from 'pg';
import type { FindUnrunnable } from '../../lint/listed-operations.ts';

/** What a command may use of the world; made by the program that mounts it. */
export interface CommandContext {
  /** `ROWGATE_ROLE_PREFIX`; absent: `rowgate_<database>_`. */
  readonly rolePrefix: string | undefined;
  /** `ROWGATE_HEADER_PREFIX`, e.g. `X-Gql-`. */
  readonly headerPrefix: string;
  /** `ROWGATE_INFER_FUNCTION_PERMISSIONS`. */
  readonly inferFunctionPermissions: boolean;
  /** Session variables that authentication gives to callers, e.g. `user_id`; absent: none. */
  readonly authenticatedVariables?: readonly string[];
  /** Schemas that the migrations of the application create; absent: none. */
  readonly applicationSchemas?: readonly string[];
  /** Whether `DATABASE_URL` is set: a command that needs no database looks at one only then. */
  readonly hasOwnerUrl: boolean;
  /** A new connection as the owner (`DATABASE_URL`, or the embedded cluster's); the caller ends it. */
  connectOwner(): Promise<pg.Client>;
  /**
   * Who the gateway logs in as: the user of `ROWGATE_GATEWAY_DATABASE_URL` (no password: Rowgate does not set it),
   * or `<prefix>gateway_login` with the password kept in the data folder.
   */
  gatewayLogin(): Promise<{
    readonly name: string | undefined;
    readonly password: string | undefined;
  }>;
  /** Absent where nobody knows the GraphQL schemas of roles. */
  readonly findUnrunnable?: FindUnrunnable;
  /** Everything on standard input, up to its end. */
  readInput(): Promise<string>;
  /** Writes a line to standard output. */
  print(line: string): void;
  /** Writes a line to standard error. */
  printError(line: string): void;
  /** Asks on a terminal; undefined where there is none. */
  readonly confirm: ((question: string) => Promise<boolean>) | undefined;
}

/** 0 good, 1 findings, 2 usage or unreadable input, 3 partial import, 4 database unreachable. */
export type ExitCode = 0 | 1 | 2 | 3 | 4;

export interface Command {
  /** One word, e.g. `plan`, or two where several commands are about one thing, e.g. `login create`. */
  readonly name: string;
  /** One line for `rowgate --help`. */
  readonly summary: string;
  /** As node:util's parseArgs takes them, with a line of help each. */
  readonly options: Readonly<
    Record<string, NonNullable<ParseArgsConfig['options']>[string] & { readonly help: string }>
  >;
  /** What must stand after the name, in this order, with a line of help each; absent: nothing may. */
  readonly positionals?: readonly {
    readonly name: string;
    readonly help: string;
    /** May be left out; only the last one. */
    readonly optional?: boolean;
  }[];
  run(
    options: Readonly<Record<string, unknown>>,
    positionals: readonly string[],
    context: CommandContext,
  ): Promise<ExitCode>;
}
