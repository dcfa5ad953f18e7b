import type { OperationTypeNode } from 'postgraphile/graphql';
import {
  type AnswerBytes,
  type AnswerMemory,
  answersHoldTooMuch,
} from '../../db/requests/answer-memory.ts';
import type { Share } from '../../db/requests/fairness/fair-shares.ts';
import type { ByteRow } from '../../db/requests/request-pool.ts';
import type { RequestSettings } from '../../db/requests/request-settings.ts';
import type { JsonRow } from '../../db/requests/transaction.ts';
import { type ByteString, decodeBytes } from '../../db/requests/wire/message-reader.ts';
import { type Budget, Lru } from '../../lru.ts';
import { type AnswerText, EncodedJson } from '../answer-text.ts';
import type { CompileOptions } from '../compile/compilation.ts';
import type { Written } from '../compile/input/input.ts';
import { type ErrorView, toRequestError } from '../errors/postgres-error.ts';
import type { IntrospectionTexts } from '../introspection/introspection.ts';
import type { IntrospectionRequest } from '../introspection/introspector.ts';
import { refuseLargeAnswer } from '../limits/answer-bytes.ts';
import type { LiveOperation } from '../request/live-operation.ts';
import type { RunnableOperation } from '../request/operation.ts';
import type { RequestCaller } from '../request/request-caller.ts';
import type { ExplainedField, RoleEngine } from '../request/role-engine.ts';
import { RequestError } from '../request-error.ts';
import { type CheckOptions, checkDocument } from '../validate/document.ts';
import type { Variables } from '../validate/variables.ts';
import { costOfIntrospection } from './costs.ts';
import type { ExtensionRunner } from './extension-runner.ts';
import { fieldStatements } from './field-statements.ts';
import { type LiveOptions, makeLiveOperation } from './live-operations.ts';
import type { Plan, RootValue } from './plan.ts';
import { PlanRun } from './plan-run.ts';
import { PlannedOperation } from './planned-operation.ts';
import { checkSessionVariables } from './required-variables.ts';
import { type RoleSettings, settingsOf } from './role-settings.ts';
import type { StatementRunner } from './statement-runner.ts';

export interface HasuraEngineOptions extends Omit<CheckOptions, 'hint' | 'role'>, RoleSettings {
  readonly pool: StatementRunner;
  /** Absent: the engine runs no subscriptions. */
  readonly live?: Pick<LiveOptions, 'version' | 'pool'> | undefined;
  /** Limits the memory for the answers of all engines. */
  readonly memory: AnswerMemory;
  readonly compile: CompileOptions;
  /** Memory for checked documents and plans, which all engines share. */
  readonly budget: Budget;
  /** Answers introspection from the schema of the role. @throws RequestError, BusyError */
  readonly introspect: Introspect;
  /**
   * Returns the runner of extension fields. Called when an operation selects such a field. Absent when the role has no
   * extension fields.
   */
  readonly extensions?: (() => ExtensionRunner) | undefined;
}

export type Introspect = (
  request: Pick<IntrospectionRequest, 'introspection' | 'variables' | 'signal' | 'share'>,
) => Promise<IntrospectionTexts>;

/** Runs the operations of one role in Hasura's dialect. */
export class HasuraEngine implements RoleEngine {
  readonly #options: HasuraEngineOptions;
  readonly #hint: string;
  readonly #errors: Omit<ErrorView, 'callsOwner'>;
  /** Operations by their document, and by name and document when the request names one of several operations. */
  readonly #operations: Readonly<Record<'unnamed' | 'named', Lru<PlannedOperation>>>;
  readonly #introspections: Lru<IntrospectionTexts>;

  constructor(options: HasuraEngineOptions) {
    const { view, compile, statementTimeoutMs, budget } = options;
    this.#operations = { unnamed: new Lru(budget), named: new Lru(budget) };
    this.#introspections = new Lru(budget);
    this.#options = options;
    this.#hint = view.isAdmin
      ? ''
      : `; it does not exist or role "${view.role.name}" has no permission for it`;
    const { maxRows, maxBytes } = compile;
    this.#errors = { role: view, statementTimeoutMs, maxRows, maxBytes };
  }

  async run(
    request: RunnableOperation,
    requestCaller: RequestCaller,
    share: Share,
  ): Promise<AnswerText> {
    const operation = this.#find(request);
    if (operation.checked.operation.operation === 'subscription') {
      const message = 'subscriptions need a WebSocket, or the header accept: text/event-stream';
      throw new RequestError('not-supported', message);
    }
    const variables = operation.variables(request.variables);
    const plan = this.#plan(operation, variables, request);
    checkSessionVariables(plan.uses, requestCaller.caller, this.#options.headerPrefix);
    const base = settingsOf(this.#options, request, requestCaller, share);
    const settings = { ...base, extent: plan.extent };
    const answer = this.#options.memory.open(share);
    try {
      const text = await this.#answer(plan, variables, {
        settings,
        answer,
        signal: request.signal,
        ...{ requestCaller, share, query: request.query },
      });
      plan.answerBytes = answer.received;
      whenSent(request, answer);
      return text;
    } catch (error) {
      answer.release();
      throw error;
    }
  }

  async #answer(plan: Plan, variables: Variables, running: Running): Promise<AnswerText> {
    const { pool, extensions, compile } = this.#options;
    const { maxBytes } = compile;
    const errors = { ...this.#errors, callsOwner: plan.callsOwner };
    const run = new PlanRun(plan, variables, { ...running, pool, errors });
    const { statement, program, introspection } = plan;
    // Introspection is answered first, because it may be refused. A refusal after a mutation has run would hide the
    // result of the mutation.
    const { answer, signal, share } = running;
    const rest = introspection
      ? await this.#introspect({ introspection, variables, signal, share })
      : {};
    // When the server has no memory for an answer as large as the last answer of this plan, the query is refused before
    // Postgres computes the answer.
    const isTooLarge = statement !== undefined && !answer.mayHold(plan.answerBytes);
    if (isTooLarge || !answer.receive(bytesOf(rest))) {
      throw toRequestError(answersHoldTooMuch(), errors);
    }
    if (plan.extended && extensions) {
      const by = { ...running, runner: extensions() };
      return run.extended(plan, by, (row, written) => {
        const text = assemble(plan, { row, written, rest });
        refuseLargeAnswer(text, { answer, writes: plan.extended?.writes === true, maxBytes });
        return text;
      });
    }
    const row = statement ? await run.read(statement) : [];
    // The names of fields have only ASCII characters, so the encoded JSON becomes the answer without being decoded.
    if (!program && !introspection)
      return new EncodedJson(assemble(plan, { row, written: [], rest }) as ByteString);
    const written = program ? await run.write(program) : [];
    return assemble(plan, { row: decodeRow(row), written, rest });
  }

  async explain(
    request: RunnableOperation,
    requestCaller: RequestCaller,
    share: Share,
  ): Promise<readonly ExplainedField[]> {
    const operation = this.#find(request);
    const variables = operation.variables(request.variables);
    const plan = this.#plan(operation, variables, request);
    checkSessionVariables(plan.uses, requestCaller.caller, this.#options.headerPrefix);
    const { view, compile, pool } = this.#options;
    const settings = {
      ...settingsOf(this.#options, request, requestCaller, share),
      extent: plan.extent,
    };
    const explained: ExplainedField[] = [];
    for (const one of fieldStatements(view, operation.checked, variables, compile)) {
      const { field, text, values } = one;
      const statement = { text: `explain (format json) ${text}`, values, name: undefined };
      const [bytes] = await pool
        .read(settings, statement, { signal: request.signal })
        .catch((error) => {
          throw toRequestError(error, { ...this.#errors, callsOwner: plan.callsOwner });
        });
      explained.push({ field, sql: text, plan: bytes ? decodeBytes(bytes) : '[]' });
    }
    return explained;
  }

  subscribe(request: RunnableOperation, requestCaller: RequestCaller, share: Share): LiveOperation {
    const operation = this.#find(request);
    if (operation.checked.operation.operation !== 'subscription') {
      throw new RequestError('bad-request', 'only subscriptions can be subscribed to');
    }
    const variables = operation.variables(request.variables);
    const plan = this.#plan(operation, variables, request);
    checkSessionVariables(plan.uses, requestCaller.caller, this.#options.headerPrefix);
    const { live, memory } = this.#options;
    if (!live) throw new RequestError('not-supported', 'subscriptions are not served here');
    const base = settingsOf(this.#options, request, requestCaller, share);
    return makeLiveOperation(plan, variables, {
      ...{ ...live, memory },
      settings: { ...base, extent: plan.extent },
      errors: { ...this.#errors, callsOwner: plan.callsOwner },
    });
  }

  check(request: Document): `${OperationTypeNode}` {
    return this.#find(request).checked.operation.operation;
  }

  async #introspect(request: Parameters<Introspect>[0]): Promise<IntrospectionTexts> {
    const { key } = request.introspection;
    const known = key === undefined ? undefined : this.#introspections.get(key);
    if (known) return known;
    const texts = await this.#options.introspect(request);
    if (key !== undefined) this.#introspections.set(key, texts, costOfIntrospection(key, texts));
    return texts;
  }

  #plan(
    operation: PlannedOperation,
    variables: Variables,
    { operationName }: RunnableOperation,
  ): Plan {
    const { key, cost } = operation;
    const plan = operation.plan(variables);
    if (operation.cost === cost) return plan;
    const name = operationName === undefined ? 'unnamed' : 'named';
    this.#operations[name].set(key, operation, operation.cost);
    return plan;
  }

  #find(document: Document): PlannedOperation {
    const found = this.#checked(document);
    document.measurement?.found(found.checked.operation);
    return found;
  }

  #checked({ query, operationName }: Document): PlannedOperation {
    const isNamed = operationName !== undefined;
    const operations = this.#operations[isNamed ? 'named' : 'unnamed'];
    const key = isNamed ? JSON.stringify([operationName, query]) : query;
    const known = operations.get(key);
    if (known) return known;
    const { view, compile } = this.#options;
    const { role } = view;
    const options = { ...this.#options, role, hint: this.#hint };
    const checked = checkDocument(query, operationName, options);
    const operation = new PlannedOperation({ key, checked, view, hint: this.#hint, compile });
    operations.set(key, operation, operation.cost);
    return operation;
  }
}

type Document = Pick<RunnableOperation, 'query' | 'operationName' | 'measurement'>;

/** One running request. */
interface Running {
  readonly settings: RequestSettings;
  readonly answer: AnswerBytes;
  readonly signal: AbortSignal | undefined;
  readonly requestCaller: RequestCaller;
  readonly share: Share;
  /** The client's document. */
  readonly query: string;
}

function whenSent({ whenSent: notify }: RunnableOperation, answer: AnswerBytes): void {
  if (!answer.holdsMemory) return;
  if (notify) notify(() => answer.release());
  else answer.release();
}

/** The results of an operation's parts: the row of its statement, the rows of its steps, and introspection. */
interface Results {
  readonly row: JsonRow;
  readonly written: Written;
  readonly rest: IntrospectionTexts;
}

function decodeRow(row: ByteRow): JsonRow {
  return row.map((value) => (value === null ? null : decodeBytes(value)));
}

function bytesOf(texts: IntrospectionTexts): number {
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
    case 'introspection':
      return rest[key] ?? 'null';
  }
}
