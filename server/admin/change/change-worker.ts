import type pg from 'pg';
import {
  appliedComparer,
  applyDescribed,
  CommandError,
  changesNothing,
  contextOfRule,
  currentRevision,
  type Diagnostic,
  type Drafts,
  describePlan,
  diffJson,
  gatherEvidence,
  inspectCatalog,
  MetadataError,
  type OpenFolder,
  openFolder,
  PlanChangedError,
  type PrepareOptions,
  questionAbout,
  sqlState,
  testDraft,
} from '../../../permissions/index.ts';
import { connect, withConnection } from '../../db/connection.ts';
import { searchPathOf } from '../../graphql/search-path.ts';

/** The environment of a task. */
export interface ChangeEnvironment extends PrepareOptions {
  readonly ownerUrl: string;
  readonly rolePrefix: string | undefined;
  readonly inferFunctionPermissions: boolean;
  /** Differs after each apply. */
  readonly revision: string;
  readonly statementTimeoutMs: number;
}

export interface DraftTask extends ChangeEnvironment {
  readonly drafts: Drafts;
}

/** An error that leaves the thread. */
export type Failure =
  | ({ readonly kind: 'command'; readonly message: string } & Pick<
      CommandError,
      'code' | 'hint' | 'exitCode'
    >)
  | { readonly kind: 'plan' }
  | { readonly kind: 'database'; readonly message: string; readonly code: string }
  | { readonly kind: 'other'; readonly message: string };

/** A finding, for the console. */
export interface Finding {
  readonly code: string;
  readonly severity: 'error' | 'warning' | 'notice';
  readonly message: string;
  readonly hint?: string;
  /** The path within the metadata folder. Absent: the finding is about the database. */
  readonly file?: string;
  readonly line?: number;
  readonly column?: number;
}

interface Mistaken {
  readonly kind: 'mistaken';
  readonly mistakes: readonly Finding[];
}

type Result<T> = { readonly value: T | Mistaken } | { readonly failure: Failure };

/** How long existing rows are counted at most. */
const countSeconds = 10;
/** An apply of the console must end before its request does. */
const lockSeconds = 15;
const lockAttempts = 10;

const tasks = {
  /** Says what drafts mean. With `count`, Postgres counts the existing rows that roles gain and lose. */
  check: (task: DraftTask & { readonly count: boolean }) =>
    result(async () => {
      const folder = await folderOf(task);
      const checked = await folder.check(task.drafts);
      if (checked.kind === 'mistaken')
        return { kind: checked.kind, mistakes: checked.mistakes.map(findingOf) };
      const { findings, gone, report, model } = checked;
      const counted =
        report && task.count
          ? {
              ...report,
              changes: await withOwner(task, (client) =>
                gatherEvidence(client, report.changes, { model, seconds: countSeconds }),
              ),
            }
          : report;
      return {
        kind: 'checked' as const,
        ...{ findings: findings.map(findingOf), gone },
        difference: counted && diffJson(counted),
        hadMistakes: folder.files.kind === 'mistaken',
      };
    }),

  /** Runs the tests that concern drafts. */
  test: (task: DraftTask) =>
    result(async () => {
      const { files } = await folderOf(task);
      if (files.kind === 'mistaken') throw mistakenFiles();
      const before = files.loaded.model;
      const options = { ...task, before, searchPathOf, attempts: lockAttempts };
      const tested = await withOwner(task, (client) => testDraft(client, options));
      return { kind: 'tested' as const, ...tested };
    }),

  /** Returns the findings, tests and dependents of a rule. */
  context: (task: ChangeEnvironment & Parameters<typeof questionAbout>[0]) =>
    result(async () => {
      const folder = await folderOf(task);
      if (folder.files.kind === 'mistaken') throw new MetadataError(folder.files.mistakes);
      const question = questionAbout(task, folder.files.loaded.model);
      const found = contextOfRule(question, folder.files, await folder.suites());
      return {
        kind: 'found' as const,
        place: placeOf(found.position),
        ...{ query: found.query, variables: found.variables },
        findings: found.findings.map(findingOf),
        tests: found.tests.map(({ position, ...rest }) => ({ ...rest, ...placeOf(position) })),
        dependents: found.dependents,
      };
    }),

  /** Says what an apply of the files would do. */
  plan: (task: ChangeEnvironment) =>
    result(async () => {
      const context = { connectOwner: () => connectOwner(task) };
      const options = { ...task, lockSeconds, compare: appliedComparer(task) };
      const { plan, lines, question } = await describePlan(options, context);
      const isEmpty = changesNothing(plan);
      return { kind: 'planned' as const, digest: plan.digest, lines, question, isEmpty };
    }),

  /** Applies the files, if the plan is the one that a person has confirmed. */
  apply: (
    task: ChangeEnvironment & {
      readonly agreed: string;
      readonly password: string | undefined;
      readonly actor: string;
      readonly version: string;
    },
  ) =>
    result(async () => {
      const { actor, version, ...options } = task;
      const applier = { actor, version, revision: await currentRevision(task.metadata) };
      const compare = appliedComparer(task);
      const { plan, warnings } = await withOwner(task, (client) =>
        applyDescribed(client, {
          ...{ ...options, applier, compare, lockSeconds, attempts: lockAttempts },
        }),
      );
      return {
        kind: 'applied' as const,
        changes: plan.changes.length,
        findings: warnings.filter(({ accepted }) => accepted === undefined).map(findingOf),
      };
    }),
};

export type Tasks = typeof tasks;

// The pool calls functions of this module by their names.
export const { check, test, context, plan, apply } = tasks;

/** Runs a task. Mistakes of the metadata are a result. */
async function result<T>(work: () => Promise<T>): Promise<Result<T>> {
  try {
    return { value: await work() };
  } catch (error) {
    if (error instanceof MetadataError)
      return { value: { kind: 'mistaken', mistakes: error.diagnostics.map(findingOf) } };
    return { failure: failureOf(error) };
  }
}

function failureOf(error: unknown): Failure {
  if (error instanceof CommandError) {
    const { code, message, hint, exitCode } = error;
    return { kind: 'command', code, message, hint, exitCode };
  }
  if (error instanceof PlanChangedError) return { kind: 'plan' };
  const message = error instanceof Error ? error.message : String(error);
  const code = sqlState(error);
  return code === undefined ? { kind: 'other', message } : { kind: 'database', message, code };
}

function mistakenFiles(): CommandError {
  return new CommandError('RG_USAGE', 'the files have mistakes, so no rules are known', {
    ...{ exitCode: 2, hint: 'correct the files first; rowgate check lists the mistakes' },
  });
}

/** Opens the folder; the last one stays open in this thread. */
function folderOf({
  ownerUrl,
  statementTimeoutMs,
  ...options
}: ChangeEnvironment): Promise<OpenFolder> {
  const inspect = () => withConnection(ownerUrl, (client) => inspectCatalog(client));
  const { metadata, rolePrefix, headerPrefix, inferFunctionPermissions, revision } = options;
  const { authenticatedVariables } = options;
  return openFolder({
    ...{ metadata, rolePrefix, headerPrefix, inferFunctionPermissions, authenticatedVariables },
    ...{ revision, inspect },
  });
}

async function withOwner<T>(
  task: ChangeEnvironment,
  work: (client: pg.Client) => Promise<T>,
): Promise<T> {
  const client = await connectOwner(task);
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

async function connectOwner({ ownerUrl, statementTimeoutMs }: ChangeEnvironment) {
  const client = await connect(ownerUrl);
  await client.query(`set statement_timeout = ${statementTimeoutMs}`);
  return client;
}

function findingOf({ code, severity, message, hint, position }: Diagnostic): Finding {
  return { code, severity, message, ...(hint && { hint }), ...(position && placeOf(position)) };
}

function placeOf({ file, inFolder, line, column }: NonNullable<Diagnostic['position']>) {
  return { file: inFolder ?? file, line, column };
}
