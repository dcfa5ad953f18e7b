import { execute } from 'postgraphile/grafast';
import {
  type ExecutionResult,
  type GraphQLError,
  Kind,
  type OperationDefinitionNode,
  type OperationTypeNode,
} from 'postgraphile/graphql';
import type { AnswerBytes, AnswerMemory } from '../../db/requests/answer-memory.ts';
import { RolledBackError } from '../../db/requests/conversation.ts';
import type { Share } from '../../db/requests/fairness/fair-shares.ts';
import type { RequestPool } from '../../db/requests/request-pool.ts';
import type { RequestSettings } from '../../db/requests/request-settings.ts';
import { type ErrorView, toRequestError } from '../../graphql/errors/postgres-error.ts';
import { handlersMs } from '../../graphql/execute/extension-runner.ts';
import { checkSessionVariables } from '../../graphql/execute/required-variables.ts';
import { type RoleSettings, settingsOf } from '../../graphql/execute/role-settings.ts';
import { checkIntrospectionSize } from '../../graphql/introspection/introspection-size.ts';
import { refuseLargeAnswer, sizeLimit } from '../../graphql/limits/answer-bytes.ts';
import { timeLimit } from '../../graphql/limits/time.ts';
import type { RunnableOperation } from '../../graphql/request/operation.ts';
import type { RequestCaller } from '../../graphql/request/request-caller.ts';
import type { RoleEngine } from '../../graphql/request/role-engine.ts';
import { RequestError } from '../../graphql/request-error.ts';
import type { Variables } from '../../graphql/validate/variables.ts';
import { type Budget, Lru } from '../../lru.ts';
import type { ServiceNames } from '../preset/user-preset.ts';
import { type TouchedTables, touchedBy } from '../schema/touched-tables.ts';
import {
  type CheckDocumentOptions,
  type CheckedDocument,
  checkDocument,
  MAX_PLANS,
} from '../validate/checked-document.ts';
import { checkRows, type VariableValues } from '../validate/operation-size.ts';
import { plainVariables } from '../validate/plain-variables.ts';
import { Deadline } from './deadline.ts';
import { toFailure } from './grafast-error.ts';
import { OperationClient } from './operation-client.ts';
import { operationContext } from './operation-context.ts';

export interface PostGraphileEngineOptions
  extends Omit<CheckDocumentOptions, 'introspection' | 'touched'>,
    RoleSettings {
  readonly pool: RequestPool;
  /** Limits the memory for the answers of all engines. */
  readonly memory: AnswerMemory;
  readonly headerPrefix: string;
  /** Maximum wait for a connection, in milliseconds. */
  readonly maxWaitMs: number;
  /** Maximum rows of one list, for messages. */
  readonly maxRows: number;
  /** Maximum bytes of an answer. */
  readonly maxBytes: number;
  /** Memory for checked documents and plans, which all engines share. */
  readonly budget: Budget;
  readonly service: ServiceNames;
  /** Whether plugins may run statements. */
  readonly hasPlugins: boolean;
  /** The preset in which Grafast finds plugins. */
  readonly preset: GraphileConfig.ResolvedPreset;
}

// Memory of a document and its plan, measured on Node 24 and rounded up.
const DOCUMENT_BYTES = 250_000;
const FIELD_BYTES = 20_000;
const POSSIBLE_TYPE_BYTES = 17_000;
const CHARACTER_BYTES = 20;

/**
 * Runs the operations of one role in PostGraphile's own dialect. Unlike Hasura's dialect, which Rowgate compiles
 * itself, PostGraphile builds the schema and its executor Grafast runs the operations.
 */
export class PostGraphileEngine implements RoleEngine {
  readonly #options: PostGraphileEngineOptions;
  readonly #documents: Lru<CheckedDocument>;
  readonly #errors: ErrorView;
  readonly #touched: TouchedTables;

  constructor(options: PostGraphileEngineOptions) {
    const { view, statementTimeoutMs, maxRows, maxBytes, budget, hasPlugins } = options;
    this.#options = options;
    this.#documents = new Lru(budget);
    this.#touched = touchedBy(view, options.schema.touched, options.schema.openFields);
    this.#errors = { role: view, statementTimeoutMs, maxRows, maxBytes, callsOwner: hasPlugins };
  }

  async run(
    request: RunnableOperation,
    requestCaller: RequestCaller,
    share: Share,
  ): Promise<string> {
    const { schema, limits, memory, headerPrefix } = this.#options;
    const checked = this.#find(request);
    const variables = plainVariables(request.variables);
    checkRows(checked.size, variables, limits);
    if (checked.introspects) {
      const given = new Map(Object.entries(variables)) as Variables;
      checkIntrospectionSize(schema.schema, checked.document, given);
    }
    checkSessionVariables(checked.uses, requestCaller.caller, headerPrefix);
    const settings = settingsOf(this.#options, request, requestCaller, share);
    const answer = memory.open(share);
    const text = await this.#answer(checked, variables, {
      settings,
      answer,
      requestCaller,
      request,
    });
    checked.isKnown = true;
    return text;
  }

  check(request: Document): `${OperationTypeNode}` {
    return this.#find(request).operation.operation;
  }

  /** Forgets checked documents and plans. */
  forget(): void {
    this.#documents.clear();
  }

  #find(document: Document): CheckedDocument {
    const found = this.#checked(document);
    document.measurement?.found(found.operation);
    return found;
  }

  #checked({ query, operationName }: Document): CheckedDocument {
    const key = JSON.stringify([operationName ?? null, query]);
    const known = this.#documents.get(key);
    if (known) return known;
    const { introspection } = this.#options.view.role;
    const options = { ...this.#options, introspection, touched: this.#touched };
    const checked = checkDocument(query, operationName, options);
    this.#documents.set(key, checked, costOf(query, checked));
    return checked;
  }

  async #answer(
    checked: CheckedDocument,
    variables: VariableValues,
    running: Running,
  ): Promise<string> {
    const { answer, request } = running;
    const { client, deadline } = this.#open(checked, running);
    // The memory of the answer is released only when the connection is back in the pool, because Postgres may send more
    // bytes until then.
    const release = () => void client.closed().then(() => answer.release());
    try {
      const text = await deadline.bound(this.#execute(checked, variables, client, running));
      const writes = isMutation(checked);
      refuseLargeAnswer(text, { answer, writes, maxBytes: this.#options.maxBytes });
      await this.#end(client, writes);
      if (request.whenSent) request.whenSent(release);
      else release();
      return text;
    } catch (error) {
      // The first error is reported, and an error of the rollback is not.
      await client.end(false).catch(() => {});
      release();
      throw error;
    }
  }

  #open(checked: CheckedDocument, { settings, answer, request: { signal } }: Running) {
    const { pool, hasPlugins, maxBytes, maxWaitMs, statementTimeoutMs } = this.#options;
    const late = () => timeLimit(this.#errors, undefined);
    const timeMs = statementTimeoutMs + this.#waitOf(checked);
    const deadline = new Deadline(maxWaitMs + timeMs, late);
    const client = new OperationClient({
      ...{ pool, settings, signal, answer, maxBytes, hasPlugins },
      writes: isMutation(checked),
      isKnown: checked.isKnown,
      onLent: () => deadline.restart(timeMs),
      check: () => {
        deadline.check();
        if (answer.received > maxBytes) throw sizeLimit(this.#errors);
      },
    });
    return { client, deadline };
  }

  /** Returns the milliseconds that root fields may wait for services other than Postgres. */
  #waitOf({ operation, size }: CheckedDocument): number {
    const { openFields } = this.#options.schema;
    const waits = [...size.roots].map((name) => openFields.get(name)?.waitMs.get(name) ?? 0);
    const longest = Math.max(0, ...waits);
    // A query calls all handlers at the same time; a mutation calls them one after the other.
    const isQuery = operation.operation === 'query';
    return handlersMs(longest, isQuery ? 1 : operation.selectionSet.selections.length);
  }

  async #end(client: OperationClient, commits: boolean): Promise<void> {
    try {
      await client.verify();
      await client.end(commits);
    } catch (error) {
      // A plugin has caught and hidden the error of a statement outside of a savepoint.
      if (error instanceof RolledBackError) {
        throw new RequestError('unexpected', 'internal error', '$', error);
      }
      const commit = { kind: 'commit', path: '$', table: undefined, returnsRows: false } as const;
      throw toRequestError(error, this.#errors, commit);
    }
  }

  async #execute(
    checked: CheckedDocument,
    variableValues: VariableValues,
    client: OperationClient,
    { requestCaller, request }: Running,
  ): Promise<string> {
    const { service, preset } = this.#options;
    const { query, signal } = request;
    const result = await execute({
      schema: checked.planning,
      document: checked.document,
      operationName: checked.operation.name?.value,
      variableValues,
      contextValue: operationContext({ service, client, requestCaller, query, signal }),
      resolvedPreset: preset,
      outputDataAsString: true,
    });
    const { data, errors } = result as ExecutionResult;
    if (errors && errors.length > 0) throw this.#failure(errors, checked.operation, client);
    // A directive of a plugin could make Grafast return a stream.
    if (typeof data !== 'string') {
      throw new RequestError('not-supported', 'answers in several parts are not served');
    }
    return `{"data":${data}}`;
  }

  #failure(
    errors: readonly GraphQLError[],
    operation: OperationDefinitionNode,
    client: OperationClient,
  ) {
    return toFailure(errors, {
      errors: this.#errors,
      isDatabaseError: (error) => client.hasThrown(error),
      writes: operation.operation === 'mutation' ? this.#touched.writes : undefined,
      fieldOf: (key) => rootFieldOf(operation, key),
    });
  }
}

type Document = Pick<RunnableOperation, 'query' | 'operationName' | 'measurement'>;

/** One running request. */
interface Running {
  readonly settings: RequestSettings;
  readonly answer: AnswerBytes;
  readonly requestCaller: RequestCaller;
  readonly request: RunnableOperation;
}

function isMutation({ operation }: CheckedDocument): boolean {
  return operation.operation === 'mutation';
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
  const { fields, possibleTypes, isConditional } = size;
  const plan = FIELD_BYTES * fields + POSSIBLE_TYPE_BYTES * possibleTypes;
  const plans = isConditional ? MAX_PLANS : 1;
  return plans * (DOCUMENT_BYTES + plan) + CHARACTER_BYTES * query.length;
}
