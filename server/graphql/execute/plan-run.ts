import type { AnswerBytes } from '../../db/requests/answer-memory.ts';
import { StatementError } from '../../db/requests/outcome-unknown-error.ts';
import { type ByteRow, statementName } from '../../db/requests/request-pool.ts';
import type { RequestSettings } from '../../db/requests/request-settings.ts';
import type { JsonRow, JsonStatement, RunStatement } from '../../db/requests/transaction.ts';
import type { Written } from '../compile/input/input.ts';
import type { StatementText } from '../compile/statement.ts';
import type { ProgramStep, WriteProgram, WriteStep } from '../compile/write/program.ts';
import { type ErrorView, toRequestError } from '../errors/postgres-error.ts';
import type { FailedStep } from '../errors/write-error.ts';
import { sizeLimit } from '../limits/answer-bytes.ts';
import { timeLimit } from '../limits/time.ts';
import type { RequestCaller } from '../request/request-caller.ts';
import type { Variables } from '../validate/variables.ts';
import { type ExtensionRunner, type ExtensionTransaction, handlersMs } from './extension-runner.ts';
import { type Plan, statementsOf } from './plan.ts';
import type { StatementRunner } from './statement-runner.ts';

export interface PlanRunOptions {
  readonly pool: StatementRunner;
  readonly settings: RequestSettings;
  readonly errors: ErrorView;
  /** Counts the bytes from Postgres. */
  readonly answer: AnswerBytes;
  /** Aborts when the client no longer waits for the answer. */
  readonly signal?: AbortSignal | undefined;
}

/**
 * Maximum number of steps of a program whose statements are prepared. Longer programs rarely run twice, and prepared
 * statements use memory until the connection ends.
 */
const MAX_PREPARED_STEPS = 8;

const commit: FailedStep = { kind: 'commit', path: '$', table: undefined, returnsRows: false };

/** Runs the statements of a plan for one request. */
export class PlanRun {
  readonly #variables: Variables;
  readonly #options: PlanRunOptions;
  readonly #names: ReadonlyMap<StatementText, string> | undefined;

  constructor(plan: Plan, variables: Variables, options: PlanRunOptions) {
    this.#variables = variables;
    this.#options = options;
    this.#names = namesOf(plan, options.settings.role);
  }

  /**
   * Runs the statement of a query and returns its row.
   * @param given the values of parameters that do not come from the variables
   * @throws RequestError
   */
  async read(statement: StatementText, given: Written = []): Promise<ByteRow> {
    const { pool, settings, errors } = this.#options;
    try {
      return await pool.read(settings, this.#bind(statement, given), this.#options);
    } catch (error) {
      throw toRequestError(error, errors);
    }
  }

  /** Runs the steps of a mutation in one transaction and returns their rows. @throws RequestError */
  async write(program: WriteProgram): Promise<Written> {
    const { steps } = program;
    const [first] = steps;
    if (!first) return [];
    const { pool, settings, errors } = this.#options;
    try {
      if (steps.length === 1 && first.kind !== 'extension') return await this.#writeOne(first);
      if (program.isIndependent) return await this.#writeAtOnce(steps);
      return await pool.transact(settings, (run) => this.#runAll(steps, { run }), this.#options);
    } catch (error) {
      // Each step has converted its errors to RequestErrors, so any other error comes from the commit.
      throw toRequestError(error, errors, commit);
    }
  }

  async #writeOne(step: WriteStep): Promise<Written> {
    const { pool, settings, errors } = this.#options;
    try {
      return await pool.write(settings, [this.#bind(step.statement, [])], this.#options);
    } catch (error) {
      throw toRequestError(error instanceof StatementError ? error.cause : error, errors, step);
    }
  }

  /**
   * Runs steps that do not depend on each other in one round trip. Postgres limits the bytes of their answers, because
   * they are committed before they arrive.
   */
  async #writeAtOnce(steps: readonly ProgramStep[]): Promise<Written> {
    const { pool, settings, errors } = this.#options;
    const statements = steps.flatMap((step) =>
      step.kind === 'extension' ? [] : [this.#bind(step.statement, [])],
    );
    try {
      return await pool.write(settings, statements, this.#options);
    } catch (error) {
      if (!(error instanceof StatementError)) throw error;
      const step = steps[error.index];
      throw toRequestError(error.cause, errors, step?.kind === 'extension' ? undefined : step);
    }
  }

  /**
   * Runs an operation with extension fields in one transaction; a query runs on one snapshot. `finish` makes the
   * answer.
   * @throws RequestError
   */
  async extended(
    { statement, program, extended }: Plan,
    { runner, requestCaller, query }: ExtensionRunOptions,
    finish: (row: JsonRow, written: Written) => string,
  ): Promise<string> {
    const { settings, answer, signal, errors } = this.#options;
    const writes = extended?.writes === true;
    const waitMs = waitOf(program?.steps ?? []);
    const isKnown = this.#names !== undefined;
    const run = { requestCaller, query, settings, answer, signal, writes, waitMs, isKnown };
    try {
      return await runner.transact(run, async (transaction) => {
        const row = statement ? await transaction.run(this.#bind(statement, [])) : [];
        return finish(row, await this.#runAll(program?.steps ?? [], { ...transaction, writes }));
      });
    } catch (error) {
      throw toRequestError(error, errors, writes ? commit : undefined);
    }
  }

  async #runAll(
    steps: readonly ProgramStep[],
    { run, execute, writes = true }: Running,
  ): Promise<Written> {
    const { errors } = this.#options;
    const deadline = performance.now() + errors.statementTimeoutMs + waitOf(steps);
    const written: JsonRow[] = [];
    const bytes = { answer: 0, handedOn: 0 };
    for (const [index, step] of steps.entries()) {
      // Postgres limits the time of each statement, but the transaction holds its locks until the last statement ends.
      if (performance.now() > deadline) throw timeLimit(errors, undefined);
      if (step.kind === 'extension') {
        written.push(step.textsOf((await execute?.(step.document, this.#variables)) ?? {}));
      } else {
        const statement = this.#bind(step.statement, written);
        try {
          written.push(await run(statement));
        } catch (error) {
          throw toRequestError(error, errors, writes ? step : undefined);
        }
      }
      if (step.whenNothing && written[index]?.[0] === '0') throw step.whenNothing;
      bytes[step.isAnswer ? 'answer' : 'handedOn'] += byteLength(written[index] ?? []);
      if (Math.max(bytes.answer, bytes.handedOn) > errors.maxBytes) throw sizeLimit(errors);
    }
    return written;
  }

  #bind(statement: StatementText, written: Written): JsonStatement {
    const { text, parameters } = statement;
    const values = parameters.map((read) => read(this.#variables, written));
    return { text, values, name: this.#names?.get(statement) };
  }
}

/** The runner of extension fields, and the caller. */
export interface ExtensionRunOptions {
  readonly runner: ExtensionRunner;
  readonly requestCaller: RequestCaller;
  /** The client's document. */
  readonly query: string;
}

/** Functions that run the steps of one program. */
interface Running extends Partial<ExtensionTransaction> {
  readonly run: RunStatement;
  /** Whether the program belongs to a mutation; default true. */
  readonly writes?: boolean;
}

function waitOf(steps: readonly ProgramStep[]): number {
  const waits = steps.flatMap((step) => (step.kind === 'extension' ? [step.waitMs] : []));
  return handlersMs(Math.max(0, ...waits), waits.length);
}

function byteLength(row: JsonRow): number {
  return row.reduce((sum, text) => sum + Buffer.byteLength(text ?? ''), 0);
}

// Preparing a statement saves time only when the plan runs again, so the first run prepares no statement.
function namesOf(plan: Plan, role: string): ReadonlyMap<StatementText, string> | undefined {
  const statements = statementsOf(plan);
  if (plan.isKnown && statements.length <= MAX_PREPARED_STEPS) {
    plan.statementNames ??= new Map(
      statements.map((one) => [one, statementName(role, one.text)] as const),
    );
  }
  plan.isKnown = true;
  return plan.statementNames;
}
