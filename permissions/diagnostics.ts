import { shown } from './text/characters.ts';

/**
 * The severity of a finding. An `error` stops every command that would change the database. A `notice` suggests a
 * clearer way to write the metadata; it never makes a command fail.
 */
export type Severity = 'error' | 'warning' | 'notice';

/** Every code that a Rowgate command can report. The documentation lists each of them. */
export const diagnosticCodes = {
  RG_FILE_UNREADABLE: 'a metadata file or folder cannot be read',
  RG_FILE_TOO_LARGE: 'a metadata file is larger than 1 MiB',
  RG_FILE_CHANGED: 'a metadata file was changed while check --fix or the console worked on it',
  RG_YAML_SYNTAX: 'the file is not valid YAML',
  RG_YAML_FEATURE:
    'anchors, aliases, merge keys, tags and several documents in one file are not accepted',
  RG_DUPLICATE_KEY: 'a key is written twice in one mapping',
  RG_METADATA_VERSION:
    'rowgate.yaml declares a newer version of the metadata than the program reads',
  RG_SHAPE: 'a value has the wrong type or a required key is missing',
  RG_UNKNOWN_KEY: 'a key that Rowgate does not know',
  RG_DUPLICATE_TABLE: 'two files describe the same table',
  RG_UNKNOWN_ROLE: 'a rule or a role names a role that roles.yaml does not declare',
  RG_ROLE_CYCLE: 'roles that inherit from each other in a circle',
  RG_INHERITED_CONFLICT:
    'roles that another one inherits from write to a table by different rules, so that it may not',
  RG_RESERVED_ROLE: 'a role name is reserved or too long for Postgres',
  RG_UNKNOWN_TABLE: 'a table that does not exist in the database',
  RG_UNSUPPORTED_TABLE:
    'a relation that cannot carry row security, has no columns, or is not owned by Rowgate',
  RG_UNKNOWN_COLUMN: 'a column that does not exist on the table',
  RG_UNKNOWN_RELATIONSHIP: 'a relationship that leads nowhere',
  RG_NAME_CONFLICT: 'two things would have the same name in GraphQL',
  RG_VIEW:
    'a rule that does not hold on a view, or a view that is not what its rules were applied to',
  RG_GRAPHQL_NAME: 'a name that GraphQL cannot express',
  RG_ENUM: 'an enum table whose shape or rows make no enum of GraphQL',
  RG_ENUM_WRITABLE:
    'a role may write an enum table, and so change the GraphQL schema of other roles',
  RG_UNKNOWN_OPERATOR: 'an operator that does not exist or does not suit the column type',
  RG_UNKNOWN_FILTER: 'a named filter that filters.yaml does not declare',
  RG_FILTER_CYCLE: 'named filters that use each other in a circle',
  RG_BAD_VALUE: 'a literal that does not fit the column type',
  RG_BAD_VARIABLE: 'a session variable whose name or type does not fit where it is used',
  RG_MISSPELT_VARIABLE: 'a text in a rule that looks like a session variable, but is none',
  RG_UNKNOWN_VARIABLE:
    'a session variable that no role requires, signing in does not give and rowgate.yaml does not declare',
  RG_NOT_WRITABLE: 'a generated column among the columns that a role may write',
  RG_BAD_PRESET:
    'a preset on a column that cannot be set, that is also in columns, or that triggers would set too late or too often',
  RG_UNKNOWN_FUNCTION: 'a function that does not exist in the database',
  RG_UNSUPPORTED_FUNCTION: 'a function that cannot compute a field of a table, or be a root field',
  RG_DUPLICATE_FUNCTION: 'two files describe the same function',
  RG_FUNCTION:
    'a function that a role may not call although its file lists it, or that is not what rules were applied to',
  RG_COMPUTED_FIELD: 'a computed field that a role cannot read, or that a rule cannot call',
  RG_EVENT: 'an event trigger that could never fire, or whose name or retries are not possible',
  RG_LIVE: 'a table that cannot be live, or a column that cannot narrow or order its changes',
  RG_NOT_LIVE: 'a table whose rules name subscriptions, but whose changes are not reported',
  RG_WEBHOOK: 'a webhook that is neither a path nor an http(s) URL, or that reveals a secret',
  RG_HEADER: 'a header of a webhook that cannot be sent, or that Rowgate sends by itself',
  RG_SCHEDULE: 'a schedule that never runs, or that runs nothing',
  RG_GRAPHILE:
    'a preset or an extension of PostGraphile that cannot be served, or limits that exclude each other',
  RG_ACTION:
    'an action, or a type of custom_types, that GraphQL or its handler could not do anything with',
  RG_UNKNOWN_TYPE: 'a type that neither custom_types nor GraphQL nor Postgres has, or not there',
  RG_ALLOW_LIST:
    'a listed operation that is no GraphQL document, that no role could run, or that is not there',
  RG_TOO_DEEP: 'a boolean expression nested deeper than 32 levels',
  RG_FOREIGN_POLICY: 'a policy that Rowgate did not make on a table that it manages or reads',
  RG_FOREIGN_ROLE: 'a Postgres role of that name exists and does not belong to this installation',
  RG_SCHEMA_WRITABLE:
    'PUBLIC, a compiled role or a login may create objects in a schema that rules use',
  RG_EXTRA_PRIVILEGE: 'a compiled role, or a member of one, holds a privilege that no rule gives',
  RG_FOREIGN_TRIGGER: 'a trigger that sorts before the preset trigger of a table',
  RG_FK_ACTION: 'a referential action reaches a table that the role has no rule for',
  RG_UNINDEXED:
    'no index begins with a column that a row filter compares, on the table of the rule or on another table',
  RG_NOT_LEAKPROOF: 'an operator in a row filter that cannot use an index under row security',
  RG_UPDATE_CHECK: 'an update rule without check whose filter uses a column that it may change',
  RG_WRITE_BEYOND_SELECT:
    'an update or delete rule reaches rows that the select rule of the role may hide',
  RG_CHECK_BEYOND_FILTER:
    'an update rule lets a role move rows out of the rows that it may update, unmentioned by its check',
  RG_INSERT_BEYOND_SELECT: 'an insert rule accepts rows that the select rule of the role hides',
  RG_INSERT_WITHOUT_SELECT: 'a role may insert rows into a table of which it sees no row',
  RG_ALL_ROWS:
    'a rule lets every row through, for a role and a table that are not declared for that',
  RG_ROLE_WITHOUT_RULES: 'a role that may do nothing, by rules of its own or inherited ones',
  RG_REPEATED_FILTER: 'a condition that several rules repeat instead of naming a filter',
  RG_REPEATED_ITEM: 'a list that holds the same name twice',
  RG_HIDDEN_KEY: 'a key column that is hidden in GraphQL but readable in SQL for a relationship',
  RG_REFERENCE_HIDDEN: 'a foreign key that a role may write to a table of which it sees no row',
  RG_OPEN_VIEW: 'PUBLIC may read or write a table with rules through a view, around them',
  RG_UNMANAGED_TABLE:
    'PUBLIC may use a table without rules or row security beside those with rules',
  RG_UNMANAGED_PARENT:
    'rows of a table with rules are reached through a parent table that has none',
  RG_DEFINER_FUNCTION: 'PUBLIC may call a function that acts with the rights of its owner',
  RG_SEARCH_PATH:
    'a function acts with the rights of its owner and finds names by what its caller chose',
  RG_DEFINER_TRIGGER:
    'a trigger of a table with rules acts with the rights of another role than the writer',
  RG_REWRITE_RULE: 'a rewrite rule on a table with rules',
  RG_FOREIGN_FUNCTION:
    'a function that a table with rules calls belongs to another role than the table',
  RG_LEAKPROOF: 'a function marked leakproof, which Postgres shows rows that rules hide',
  RG_DEFAULT_PRIVILEGE: 'tables yet to be made will be open to PUBLIC or to a compiled role',
  RG_BYPASS: 'a login that bypasses row security inherits a compiled role',
  RG_SETTING: 'a setting of the database or of a login changes what rules mean',
  RG_FK_UNINDEXED: 'no index begins with the columns of a foreign key',
  RG_NO_PRIMARY_KEY: 'a table without a primary key',
  RG_DUPLICATE_INDEX: 'two indexes of a table are the same',
  RG_UNIQUE_REVEALS: 'a unique index reveals to a role values of rows that it may not see',
  RG_UPSERT_REVEALS:
    'an upsert in SQL shows a role rows that it may not see, by a key that they may share with its own',
  RG_ESTIMATE_REVEALS:
    'planner estimates show a direct login how frequent texts are in rows that it may not see',
  RG_UNBOUND_EXISTS: 'an _exists that neither the row nor a session variable makes a difference to',
  RG_VARIABLE_PATTERN: 'a rule takes a session variable for a pattern',
  RG_ACCEPTED: 'rowgate.yaml accepts a warning that check does not report, or an error',
  RG_REFUSED: 'Postgres refuses what a rule compiles to',
  RG_NOT_OWNER: 'the login of the command line lacks a right that the command needs',
  RG_MIGRATION:
    'a migration was edited after it ran, is unknown or fails, or the schema is not what earlier migrations made',
  RG_APPLYING: 'another apply is running in the same database',
  RG_LOCKED: 'another session keeps a lock that apply or the tests of rules need',
  RG_LOCK_LIMIT: 'apply would hold its locks longer than --lock-seconds allows',
  RG_PLAN_CHANGED: 'the plan that was agreed to is no longer the one that would run',
  RG_DRIFT: 'the database differs from what the metadata says',
  RG_LOGIN: 'a direct login that cannot be created or removed as requested',
  RG_TEST:
    'a permission test that names something that does not exist, contradicts itself or cannot be run',
  RG_CATALOG: 'a catalog file cannot be read or was not made by this version',
} as const;

export type DiagnosticCode = keyof typeof diagnosticCodes;

/** Position of a value in a metadata file. Lines and columns count from 1. */
export interface Position {
  /**
   * Path of the file with forward slashes: the metadata folder as given on the command line, followed by the path
   * within the folder.
   */
  readonly file: string;
  readonly line: number;
  readonly column: number;
  /** Path within the metadata folder, which does not depend on how the folder was named. Absent: `file`. */
  readonly inFolder?: string;
}

/** One finding: an error, a warning or a notice, with its position in a file and a hint on how to fix it. */
export interface Diagnostic {
  readonly code: DiagnosticCode;
  readonly severity: Severity;
  /** One sentence without a final full stop. */
  readonly message: string;
  /** The place in a file. Absent for findings that concern only the database. */
  readonly position?: Position;
  readonly hint?: string;
  /** Statements that a superuser runs in this database to fix the problem, each without its semicolon. */
  readonly statements?: readonly string[];
  /** The reason for which rowgate.yaml accepts the warning or notice. Absent: it is not accepted. */
  readonly accepted?: string;
}

/** Collects findings, so that a command reports all mistakes at once. */
export class Report {
  readonly #items: Diagnostic[] = [];

  error(
    code: DiagnosticCode,
    position: Position | undefined,
    message: string,
    hint?: string,
  ): void {
    this.#add('error', code, position, message, hint);
  }

  warning(
    code: DiagnosticCode,
    position: Position | undefined,
    message: string,
    hint?: string,
  ): void {
    this.#add('warning', code, position, message, hint);
  }

  notice(
    code: DiagnosticCode,
    position: Position | undefined,
    message: string,
    hint?: string,
  ): void {
    this.#add('notice', code, position, message, hint);
  }

  add(finding: Diagnostic): void {
    this.#items.push(finding);
  }

  /** All findings, sorted by file, line, column, code and message. */
  get diagnostics(): readonly Diagnostic[] {
    return this.#items.toSorted(compareDiagnostics);
  }

  get hasErrors(): boolean {
    return this.#items.some((item) => item.severity === 'error');
  }

  #add(
    severity: Severity,
    code: DiagnosticCode,
    position: Position | undefined,
    message: string,
    hint: string | undefined,
  ): void {
    this.add({
      code,
      severity,
      message,
      ...(position && { position }),
      ...(hint !== undefined && { hint }),
    });
  }
}

function compareDiagnostics(a: Diagnostic, b: Diagnostic): number {
  const byFile = (a.position?.file ?? '').localeCompare(b.position?.file ?? '', 'en');
  return (
    byFile ||
    (a.position?.line ?? 0) - (b.position?.line ?? 0) ||
    (a.position?.column ?? 0) - (b.position?.column ?? 0) ||
    a.code.localeCompare(b.code, 'en') ||
    a.message.localeCompare(b.message, 'en')
  );
}

/**
 * Returns a finding as one line, e.g. `metadata/tables/invoice.yaml:14:9 RG_UNKNOWN_COLUMN column "totl" …; did you
 * mean "total"?`.
 */
export function formatDiagnostic(diagnostic: Diagnostic): string {
  const { code, message, position, hint, severity } = diagnostic;
  const place = position ? `${position.file}:${position.line}:${position.column} ` : '';
  const label = severity === 'error' ? '' : `${severity} `;
  return shown(`${place}${label}${code} ${message}${hint === undefined ? '' : `; ${hint}`}`);
}

/**
 * Returns the statements of all findings as lines to paste into psql, with a heading. Empty when no finding has any.
 * Each statement stands once, with unsafe characters escaped.
 */
export function statementLines(diagnostics: readonly Diagnostic[]): readonly string[] {
  const statements = new Set(diagnostics.flatMap((one) => one.statements ?? []));
  if (statements.size === 0) return [];
  return ['as a superuser, in this database:', ...[...statements].map((one) => `  ${shown(one)};`)];
}
