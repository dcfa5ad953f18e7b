import { execute } from 'postgraphile/grafast';
import {
  type ExecutionResult,
  type GraphQLError,
  Kind,
  type OperationDefinitionNode,
} from 'postgraphile/graphql';
import { type AnswerBytes, type AnswerMemory, answersHoldTooMuch } from '../db/answer-memory.ts';
import type { RequestPool } from '../db/request-pool.ts';
import { type RequestSettings, shareOf } from '../db/request-settings.ts';
import type { Asker } from '../graphql/operations/asker.ts';
import type { Engine } from '../graphql/operations/engine.ts';
import type { RunnableRequest } from '../graphql/operations/request.ts';
import { RequestError } from '../graphql/request-error.ts';
import { checkIntrospectionSize } from '../graphql/run/introspection-size.ts';
import {
  type ErrorView,
  sizeLimit,
  timeLimit,
  toRequestError,
} from '../graphql/run/postgres-error.ts';
import { checkSessionVariables } from '../graphql/run/required-variables.ts';
import { ADMIN_WEIGHT } from '../graphql/run/role-engine.ts';
import type { RoleView } from '../graphql/view/role-view.ts';
import { type Budget, Lru } from '../lru.ts';
import {
  type CheckDocumentOptions,
  type CheckedDocument,
  checkDocument,
} from './checked-document.ts';
import { toFailure } from './grafast-error.ts';
import { OperationClient } from './operation-client.ts';
import { checkRows, type VariableValues } from './operation-size.ts';
import { plainVariables } from './plain-variables.ts';
import { type TouchedTables, touchedBy } from './touched-tables.ts';
import type { ServiceNames } from './user-preset.ts';

export interface GrafastEngineOptions
  extends Omit<CheckDocumentOptions, 'introspection' | 'touched'> {
  readonly view: RoleView;
  readonly pool: RequestPool;
  /** Holds the answers of all engines. */
  readonly memory: AnswerMemory;
  /** Of the model: every one is set on each request. */
  readonly variableNames: readonly string[];
  readonly searchPath: string;
  readonly headerPrefix: string;
  readonly statementTimeoutMs: number;
  /** Rows of one list, for messages. */
  readonly maxRows: number;
  /** Bytes that the answer of one operation may have. */
  readonly maxBytes: number;
  /** Bytes of what is kept for later requests, which all engines share. */
  readonly budget: Budget;
  readonly service: ServiceNames;
  /** Whether code of the user's takes part. */
  readonly hasPlugins: boolean;
  /** What Grafast looks for plugins in. */
  readonly preset: GraphileConfig.ResolvedPreset;
}

/** Bytes of a document and its plan, by its fields and characters, as they were measured, rounded up. */
const DOCUMENT_BYTES = 20_000;
const FIELD_BYTES = 6_000;
const CHARACTER_BYTES = 20;

/** Runs the operations of one role in PostGraphile's own dialect, by stock PostGraphile and Grafast. */
export class GrafastEngine implements Engine {
  readonly #options: GrafastEngineOptions;
  readonly #documents: Lru<CheckedDocument>;
  readonly #errors: ErrorView;
  readonly #touched: TouchedTables;

  constructor(options: GrafastEngineOptions) {
    const { view, statementTimeoutMs, maxRows, maxBytes, budget, hasPlugins } = options;
    this.#options = options;
    this.#documents = new Lru(budget);
    this.#touched = touchedBy(view, options.schema.touched);
    this.#errors = { role: view, statementTimeoutMs, maxRows, maxBytes, callsOwner: hasPlugins };
  }

  async run(request: RunnableRequest, asker: Asker): Promise<string> {
    const { limits, memory, headerPrefix } = this.#options;
    const checked = this.#find(request);
    if (request.isReadOnly && checked.operation.operation !== 'query') {
      throw new RequestError('bad-request', 'only queries can be run by GET; use POST');
    }
    const variables = plainVariables(request.variables);
    checkRows(checked.size, variables, limits);
    checkSessionVariables(checked.uses, asker.caller, headerPrefix);
    const settings = this.#settingsOf(asker, request);
    const answer = memory.open(shareOf(settings));
    try {
      const text = await this.#answer(checked, variables, { settings, answer, asker, request });
      checked.isKnown = true;
      if (request.whenSent) request.whenSent(() => answer.release());
      else answer.release();
      return text;
    } catch (error) {
      answer.release();
      throw error;
    }
  }

  check(request: RunnableRequest): void {
    this.#find(request);
  }

  #find({ query, operationName }: RunnableRequest): CheckedDocument {
    const key = JSON.stringify([operationName ?? null, query]);
    const known = this.#documents.get(key);
    if (known) return known;
    const { introspection } = this.#options.view.role;
    const options = { ...this.#options, introspection, touched: this.#touched };
    const checked = checkDocument(query, operationName, options);
    this.#documents.set(key, checked, costOf(query, checked));
    return checked;
  }

  #settingsOf({ caller, address }: Asker, { bytes }: RunnableRequest): RequestSettings {
    const { view, variableNames: names, searchPath, statementTimeoutMs } = this.#options;
    const { postgresName: role, limits } = view.role;
    const { variables: values, person } = caller;
    const weight = view.isAdmin ? ADMIN_WEIGHT : limits?.weight;
    const of = { role, searchPath, names, values, statementTimeoutMs };
    return { ...of, address, person, weight, bytes };
  }

  async #answer(checked: CheckedDocument, variables: VariableValues, running: Running) {
    const { schema, pool, hasPlugins, maxBytes, statementTimeoutMs } = this.#options;
    if (checked.introspects) {
      checkIntrospectionSize(
        schema.schema,
        checked.document,
        new Map(Object.entries(variables)) as never,
      );
    }
    const { settings, answer, request } = running;
    const writes = checked.operation.operation === 'mutation';
    const deadline = performance.now() + statementTimeoutMs;
    const client = new OperationClient({
      ...{ pool, settings, writes, answer, hasPlugins },
      wanted: request.wanted,
      isKnown: checked.isKnown,
      check: () => {
        if (performance.now() > deadline) throw timeLimit(this.#errors, undefined);
        if (answer.received > maxBytes) throw sizeLimit(this.#errors);
      },
    });
    let isKept = false;
    let text: string | undefined;
    try {
      text = await inTime(
        this.#execute(checked, variables, client, running),
        statementTimeoutMs,
        () => timeLimit(this.#errors, undefined),
      );
      this.#refuseLarge(text, writes, answer);
      isKept = writes;
      return text;
    } finally {
      await this.#end(client, isKept, text !== undefined);
    }
  }

  // What has failed already is what is reported.
  async #end(client: OperationClient, isKept: boolean, isAnswered: boolean): Promise<void> {
    try {
      await client.end(isKept);
    } catch (error) {
      const commit = { kind: 'commit', path: '$', table: undefined, returnsRows: false } as const;
      if (isKept && isAnswered) throw toRequestError(error, this.#errors, commit);
    }
  }

  async #execute(
    checked: CheckedDocument,
    variableValues: VariableValues,
    client: OperationClient,
    { asker }: Running,
  ): Promise<string> {
    const { schema, service, preset, view } = this.#options;
    const contextValue = {
      [service.pgSettingsKey]: client.pgSettings,
      [service.withPgClientKey]: client.withPgClient,
      rowgate: Object.freeze({
        role: view.role.name,
        variables: Object.freeze(Object.fromEntries(asker.caller.variables)),
      }),
    };
    const result = await execute({
      schema: schema.schema,
      document: checked.document,
      operationName: checked.operation.name?.value,
      variableValues,
      contextValue,
      resolvedPreset: preset,
      outputDataAsString: true,
    });
    const { data, errors } = result as ExecutionResult;
    if (errors && errors.length > 0) throw this.#failure(errors, checked.operation, client);
    return `{"data":${String(data)}}`;
  }

  #failure(
    errors: readonly GraphQLError[],
    operation: OperationDefinitionNode,
    client: OperationClient,
  ) {
    return toFailure(errors, {
      errors: this.#errors,
      isOfClient: (error) => client.hasThrown(error),
      writes: operation.operation === 'mutation' ? this.#touched.writes : undefined,
      fieldOf: (key) => rootFieldOf(operation, key),
    });
  }

  // Grafast makes more of what Postgres sends: each of its rows may stand in several places.
  #refuseLarge(text: string, writes: boolean, answer: AnswerBytes): void {
    const bytes = Buffer.byteLength(text);
    if (bytes > this.#options.maxBytes) throw sizeLimit(this.#errors);
    const more = bytes - answer.received;
    if (more <= 0) return;
    if (writes) answer.receiveAnyway(more);
    else if (!answer.receive(more)) throw toRequestError(answersHoldTooMuch(), this.#errors);
  }
}

/** What one request is run with. */
interface Running {
  readonly settings: RequestSettings;
  readonly answer: AnswerBytes;
  readonly asker: Asker;
  readonly request: RunnableRequest;
}

/** Postgres limits the time of each statement; a plugin may wait for something else, and holds a connection meanwhile. */
async function inTime<T>(work: Promise<T>, ms: number, late: () => Error): Promise<T> {
  const expired = Promise.withResolvers<never>();
  const timer = setTimeout(() => expired.reject(late()), ms);
  try {
    return await Promise.race([work, expired.promise]);
  } finally {
    clearTimeout(timer);
    work.catch(() => {});
  }
}

function rootFieldOf({ selectionSet }: OperationDefinitionNode, key: string): string | undefined {
  for (const node of selectionSet.selections) {
    if (node.kind === Kind.FIELD && (node.alias?.value ?? node.name.value) === key) {
      return node.name.value;
    }
  }
  return undefined;
}

function costOf(query: string, { size }: CheckedDocument): number {
  return DOCUMENT_BYTES + FIELD_BYTES * size.fields + CHARACTER_BYTES * query.length;
}
