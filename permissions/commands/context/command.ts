import type { ParseArgsConfig } from 'node:util';
import type pg from 'pg';
import type { FindUnrunnable } from '../../lint/listed-operations.ts';
import type { OpenGraphql } from '../../testing/graphql/run-graphql.ts';
import type { Model } from '../../types/model.ts';

/** The environment of a command. The program that mounts the command creates it. */
export interface CommandContext {
  /** Value of `ROWGATE_ROLE_PREFIX`; default: `rowgate_<database>_`. */
  readonly rolePrefix: string | undefined;
  /** Value of `ROWGATE_HEADER_PREFIX`, e.g. `X-Gql-`. */
  readonly headerPrefix: string;
  /**
   * Value of `ROWGATE_INFER_FUNCTION_PERMISSIONS`: whether a role may call a query function when it may select the
   * returned rows.
   */
  readonly inferFunctionPermissions: boolean;
  /** Session variables that authentication gives to callers, e.g. `user_id`; default none. */
  readonly authenticatedVariables?: readonly string[];
  /** Schemas that the migrations of the application create; default none. */
  readonly applicationSchemas?: readonly string[];
  /** The person or program that runs the command, for the history of apply. */
  readonly actor: string | undefined;
  /** The version of the program. */
  readonly version: string;
  /** Whether `DATABASE_URL` is set. Commands that can work without a database connect only if it is. */
  readonly hasOwnerUrl: boolean;
  /**
   * Opens a connection as the owner of the database (`DATABASE_URL`, or the embedded cluster). The caller closes it.
   */
  connectOwner(): Promise<pg.Client>;
  /**
   * Returns the login of the gateway: the user of `ROWGATE_GATEWAY_DATABASE_URL`, whose password Rowgate does not set,
   * or `<prefix>gateway_login` with the password from the data folder.
   */
  gatewayLogin(): Promise<{
    readonly name: string | undefined;
    readonly password: string | undefined;
  }>;
  /**
   * Finds documents of the allow-list that no role can run. Absent when the program has no GraphQL schemas of roles.
   */
  readonly findUnrunnable?: FindUnrunnable;
  /** Returns the search path that requests over GraphQL set. Absent when the program has no GraphQL. */
  readonly requestSearchPath?: (model: Model) => string;
  /** Runs GraphQL inside the transaction of tests. Absent when the program has no GraphQL. */
  readonly openGraphql?: OpenGraphql;
  /**
   * Returns a signal that aborts when the user interrupts the command (SIGINT). From then on, the command ends itself; a
   * second interruption ends the process. Without a call, the first one does.
   */
  interruption(): AbortSignal;
  /** Reads standard input to its end. */
  readInput(): Promise<string>;
  /** Writes a line to standard output. */
  print(line: string): void;
  /** Asks a question on the terminal. Undefined when the program has no terminal. */
  printError(line: string): void;
  /** Asks a question on the terminal; undefined when there is no terminal. */
  readonly confirm: ((question: string) => Promise<boolean>) | undefined;
}

/** Asks a question on the terminal and returns the answer. Undefined when there is no terminal. */
export type ExitCode = 0 | 1 | 2 | 3 | 4;

export interface Command {
  /** One word, e.g. `plan`, or two for commands about the same subject, e.g. `login create`. */
  readonly name: string;
  /** One line for `rowgate --help`. */
  readonly summary: string;
  /** Options of node:util's parseArgs, each with a line for `--help`. */
  readonly options: Readonly<
    Record<string, NonNullable<ParseArgsConfig['options']>[string] & { readonly help: string }>
  >;
  /** Required arguments after the name, in this order, each with a line for `--help`; default none. */
  readonly positionals?: readonly {
    readonly name: string;
    readonly help: string;
    /** Whether the argument may be omitted; only allowed for the last arguments. */
    readonly optional?: boolean;
  }[];
  run(
    options: Readonly<Record<string, unknown>>,
    positionals: readonly string[],
    context: CommandContext,
  ): Promise<ExitCode>;
}
