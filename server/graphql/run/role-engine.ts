import { type AnswerBytes, type AnswerMemory, answersHoldTooMuch } from '../../db/answer-memory.ts';
import { BusyError } from '../../db/busy-error.ts';
import type { JsonRow, RequestPool } from '../../db/request-pool.ts';
import { type RequestSettings, shareOf } from '../../db/request-settings.ts';
import { type Budget, Lru } from '../../lru.ts';
import type { CompileOptions } from '../compile/compilation.ts';
import type { Written } from '../compile/input.ts';
import type { ExtensionRunner } from '../extensions/extension-runner.ts';
import type { Asker } from '../operations/asker.ts';
import type { Engine } from '../operations/engine.ts';
import type { RunnableRequest } from '../operations/request.ts';
import { RequestError } from '../request-error.ts';
import { type CheckOptions, checkDocument } from '../validate/document.ts';
import type { Variables } from '../validate/variables.ts';
import type { RoleView } from '../view/role-view.ts';
import { costOfRemainder } from './costs.ts';
import { Operation } from './operation.ts';
import type { Plan, RootValue } from './plan.ts';
import { PlanRun } from './plan-run.ts';
import { type ErrorView, sizeLimit, toRequestError } from './postgres-error.ts';
import { answerRemainder, type Remainder, type RemainderTexts } from './remainder.ts';
import { checkSessionVariables } from './required-variables.ts';
import type { Turns } from './turns.ts';

export interface RoleEngineOptions extends Omit<CheckOptions, 'hint' | 'role'> {
  readonly view: RoleView;
  readonly pool: RequestPool;
  /** Holds the answers of all engines. */
  readonly memory: AnswerMemory;
  /** Divides the event loop among the callers of all engines. */
  readonly turns: Turns;
  /** Of the model: every one is set on each request. */
  readonly variableNames: readonly string[];
  readonly searchPath: string;
  readonly headerPrefix: string;
  readonly compile: CompileOptions;
  readonly statementTimeoutMs: number;
  /** Bytes of what is kept for later requests, which all engines share. */
  readonly budget: Budget;
  /** Runs fields of extensions; absent where there are none. Called when the first of them is asked for. */
  readonly extensions?: (() => ExtensionRunner) | undefined;
}

/** Whoever has the admin secret may hold four fifths of the connections and the memory. */
export const ADMIN_WEIGHT = 4;

/** Runs the operations of one role in Hasura's dialect. */
export class RoleEngine implements Engine {
  readonly #options: RoleEngineOptions;
  readonly #hint: string;
  readonly #errors: Omit<ErrorView, 'callsOwner'>;
  readonly #operations: Lru<Operation>;
  readonly #remainders: Lru<RemainderTexts>;

  constructor(options: RoleEngineOptions) {
    const { view, compile, statementTimeoutMs, budget } = options;
    this.#operations = new Lru(budget);
    this.#remainders = new Lru(budget);
    this.#options = options;
    this.#hint = view.isAdmin
      ? ''
      : `; it does not exist or role "${view.role.name}" has no permission for it`;
    const { maxRows, maxBytes } = compile;
    this.#errors = { role: view, statementTimeoutMs, maxRows, maxBytes };
  }

  async run(request: RunnableRequest, asker: Asker): Promise<string> {
    const { turns } = this.#options;
    const settings = this.#settingsOf(asker);
    const work = () => this.#run(request, asker, settings);
    try {
      return await turns.run(shareOf(settings), work, request.wanted);
    } catch (error) {
      throw error instanceof BusyError
        ? toRequestError(error, { ...this.#errors, callsOwner: false })
        : error;
    }
  }

  async #run(request: RunnableRequest, asker: Asker, base: RequestSettings): Promise<string> {
    const operation = this.#find(request);
    if (request.isReadOnly) refuseWrites(operation);
    const variables = operation.variables(request.variables);
    const plan = this.#plan(operation, variables);
    checkSessionVariables(plan.uses, asker.caller, this.#options.headerPrefix);
    const settings = { ...base, extent: plan.extent, bytes: request.bytes };
    const answer = this.#options.memory.open(shareOf(settings));
    try {
      const text = await this.#answer(plan, variables, {
        settings,
        answer,
        wanted: request.wanted,
        ...{ asker, query: request.query },
      });
      plan.answerBytes = answer.received;
      whenSent(request, answer);
      return text;
    } catch (error) {
      answer.release();
      throw error;
    }
  }

  #settingsOf({ caller, address }: Asker): RequestSettings {
    const { view, variableNames: names, searchPath, statementTimeoutMs } = this.#options;
    const { postgresName: role, limits } = view.role;
    const { variables: values, person } = caller;
    const weight = view.isAdmin ? ADMIN_WEIGHT : limits?.weight;
    const of = { role, searchPath, names, values, statementTimeoutMs };
    return { ...of, address, person, weight };
  }

  async #answer(plan: Plan, variables: Variables, running: Running): Promise<string> {
    const { pool, extensions } = this.#options;
    const errors = { ...this.#errors, callsOwner: plan.callsOwner };
    const run = new PlanRun(plan, variables, { ...running, pool, errors });
    const { statement, program, remainder } = plan;
    // First, since it can be refused.
    const rest = remainder ? this.#answerRemainder(remainder, variables) : {};
    const { answer } = running;
    // An answer for which there was no memory is better not made by Postgres again.
    const isTooLarge = statement !== undefined && !answer.mayHold(plan.answerBytes);
    if (isTooLarge || !answer.receive(bytesOf(rest))) {
      throw toRequestError(answersHoldTooMuch(), errors);
    }
    if (plan.extended && extensions) {
      const by = { ...running, runner: extensions() };
      return run.extended(plan, by, (row, written) => {
        const text = assemble(plan, { row, written, rest });
        this.#refuseLarge(text, plan, answer);
        return text;
      });
    }
    const [row, written] = await Promise.all([
      statement ? run.read(statement) : [],
      program ? run.write(program) : [],
    ]);
    return assemble(plan, { row, written, rest });
  }

  // Plugins make answers of what Postgres does not send.
  #refuseLarge(text: string, { extended, callsOwner }: Plan, answer: AnswerBytes): void {
    const errors = { ...this.#errors, callsOwner };
    const bytes = Buffer.byteLength(text);
    if (bytes > errors.maxBytes) throw sizeLimit(errors);
    const more = bytes - answer.received;
    if (more <= 0) return;
    if (extended?.writes) answer.receiveAnyway(more);
    else if (!answer.receive(more)) throw toRequestError(answersHoldTooMuch(), errors);
  }

  check(request: RunnableRequest): void {
    this.#find(request);
  }

  #answerRemainder(remainder: Remainder, variables: Variables): RemainderTexts {
    const { schema, compile } = this.#options;
    const { key } = remainder;
    const known = key === undefined ? undefined : this.#remainders.get(key);
    if (known) return known;
    const texts = answerRemainder(schema, remainder, variables, compile.maxBytes);
    if (key !== undefined) this.#remainders.set(key, texts, costOfRemainder(key, texts));
    return texts;
  }

  #plan(operation: Operation, variables: Variables): Plan {
    const { key, cost } = operation;
    const plan = operation.plan(variables);
    if (operation.cost !== cost) this.#operations.set(key, operation, operation.cost);
    return plan;
  }

  #find({ query, operationName }: RunnableRequest): Operation {
    const key = JSON.stringify([operationName ?? null, query]);
    const known = this.#operations.get(key);
    if (known) return known;
    const { view, compile } = this.#options;
    const { role } = view;
    const options = { ...this.#options, role, hint: this.#hint };
    const checked = checkDocument(query, operationName, options);
    const operation = new Operation({ key, checked, view, hint: this.#hint, compile });
    this.#operations.set(key, operation, operation.cost);
    return operation;
  }
}

/** What one request is run with. */
interface Running {
  readonly settings: RequestSettings;
  readonly answer: AnswerBytes;
  readonly wanted: AbortSignal | undefined;
  readonly asker: Asker;
  /** The document of the client. */
  readonly query: string;
}

function whenSent({ whenSent: notify }: RunnableRequest, answer: AnswerBytes): void {
  if (notify) notify(() => answer.release());
  else answer.release();
}

function refuseWrites({ checked }: Operation): void {
  if (checked.operation.operation === 'query') return;
  throw new RequestError('bad-request', 'only queries can be run by GET; use POST');
}

/** What the parts of an operation came to. */
interface Results {
  readonly row: JsonRow;
  readonly written: Written;
  readonly rest: RemainderTexts;
}

function bytesOf(texts: RemainderTexts): number {
  return Object.values(texts).reduce((sum, text) => sum + Buffer.byteLength(text), 0);
}

function assemble({ fields }: Plan, results: Results): string {
  const members = fields.map(([key, value]) => `"${key}":${textOf(key, value, results)}`);
  return `{"data":{${members.join(',')}}}`;
}

function textOf(key: string, value: RootValue, { row, written, rest }: Results): string {
  switch (value.kind) {
    case 'table':
      return row[value.column] ?? 'null';
    case 'written':
      return value.assemble(written);
    case 'typename':
      return JSON.stringify(value.text);
    case 'remainder':
      return rest[key] ?? 'null';
  }
}
