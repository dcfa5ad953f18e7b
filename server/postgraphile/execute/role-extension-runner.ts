import { execute } from 'postgraphile/grafast';
import {
  type DocumentNode,
  type ExecutionResult,
  type GraphQLSchema,
  Kind,
} from 'postgraphile/graphql';
import type { ExtensionDocument } from '../../graphql/compile/extension-document.ts';
import type { ErrorView } from '../../graphql/errors/postgres-error.ts';
import type {
  ExtensionRun,
  ExtensionRunner,
  ExtensionTransaction,
} from '../../graphql/execute/extension-runner.ts';
import { sizeLimit } from '../../graphql/limits/answer-bytes.ts';
import { timeLimit } from '../../graphql/limits/time.ts';
import type { Variables } from '../../graphql/validate/variables.ts';
import { withOwnPlans } from '../validate/checked-document.ts';
import { plainVariables } from '../validate/plain-variables.ts';
import { Deadline } from './deadline.ts';
import { toFailure } from './grafast-error.ts';
import { OperationClient } from './operation-client.ts';
import { operationContext } from './operation-context.ts';
import type { PostGraphileEngineOptions } from './postgraphile-engine.ts';

/**
 * Runs the fields that extensions add to Hasura's dialect, for one role. It uses the role's schema in PostGraphile's
 * own dialect, for which the plugins were written.
 */
export class RoleExtensionRunner implements ExtensionRunner {
  readonly #options: PostGraphileEngineOptions;
  readonly #errors: ErrorView;
  readonly #planning = new WeakMap<DocumentNode, GraphQLSchema>();

  constructor(options: PostGraphileEngineOptions) {
    const { view, statementTimeoutMs, maxRows, maxBytes, hasPlugins: callsOwner } = options;
    this.#options = options;
    this.#errors = { role: view, statementTimeoutMs, maxRows, maxBytes, callsOwner };
  }

  async transact<T>(
    run: ExtensionRun,
    work: (transaction: ExtensionTransaction) => Promise<T>,
  ): Promise<T> {
    const { client, deadline } = this.#open(run);
    const transaction: ExtensionTransaction = {
      run: (statement) => client.row(statement),
      execute: (document, variables) => this.#execute(document, variables, client, run),
    };
    try {
      const value = await deadline.bound(work(transaction));
      await client.end(run.writes);
      return value;
    } catch (error) {
      // The first error is reported, and an error of the rollback is not.
      await client.end(false).catch(() => {});
      throw error;
    } finally {
      // The calling code releases the memory of the answer afterwards, so Postgres must send no more bytes.
      await client.closed();
    }
  }

  #open({ settings, answer, signal, writes, waitMs, isKnown }: ExtensionRun) {
    const { pool, hasPlugins, maxWaitMs, statementTimeoutMs, maxBytes } = this.#options;
    const timeMs = statementTimeoutMs + waitMs;
    const late = () => timeLimit(this.#errors, undefined);
    const deadline = new Deadline(maxWaitMs + timeMs, late);
    const client = new OperationClient({
      ...{ pool, settings, writes, signal, answer, maxBytes, isKnown, hasPlugins },
      onLent: () => deadline.restart(timeMs),
      check: () => {
        deadline.check();
        if (answer.received > maxBytes) throw sizeLimit(this.#errors);
      },
    });
    return { client, deadline };
  }

  async #execute(
    { document, variables: names }: ExtensionDocument,
    variables: Variables,
    client: OperationClient,
    { requestCaller, query, signal, writes }: ExtensionRun,
  ): Promise<Readonly<Record<string, unknown>>> {
    const { service, preset } = this.#options;
    const given = [...variables].filter(([name]) => names.includes(name));
    const result = await execute({
      schema: this.#planningOf(document),
      document,
      variableValues: plainVariables(Object.fromEntries(given)),
      contextValue: operationContext({ service, client, requestCaller, query, signal }),
      resolvedPreset: preset,
    });
    const { data, errors = [] } = result as ExecutionResult;
    if (errors.length === 0) {
      // A plugin may have changed role or variables. The check runs before the next field, which could otherwise return
      // rows of another caller.
      await client.verify();
      return data ?? {};
    }
    throw toFailure(errors, {
      errors: this.#errors,
      isDatabaseError: (error) => client.hasThrown(error),
      writes: writes ? new Map() : undefined,
      fieldOf: (key) => fieldOf(document, key),
    });
  }

  /**
   * Returns the schema object in which Grafast caches the plans of a document. Plans are released together with the
   * document.
   */
  #planningOf(document: DocumentNode): GraphQLSchema {
    const known = this.#planning.get(document);
    if (known) return known;
    const made = withOwnPlans(this.#options.schema.schema);
    this.#planning.set(document, made);
    return made;
  }
}

/** Returns the name of the root field with a response key. */
function fieldOf({ definitions }: DocumentNode, key: string): string | undefined {
  const names = definitions.flatMap((node) =>
    node.kind === Kind.OPERATION_DEFINITION ? node.selectionSet.selections : [],
  );
  for (const node of names) {
    if (node.kind === Kind.FIELD && node.alias?.value === key) return node.name.value;
  }
  return undefined;
}
