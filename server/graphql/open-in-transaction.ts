import { isInterruption, type OpenGraphql, type RoleModel } from '../../permissions/index.ts';
import type { Config } from '../config/config.ts';
import { AnswerMemory } from '../db/requests/answer-memory.ts';
import { Budget } from '../lru.ts';
import { decodeAnswer } from './answer-text.ts';
import { engineOptionsOf } from './execute/engine-options.ts';
import { HasuraEngine } from './execute/hasura-engine.ts';
import { TransactionRunner } from './execute/transaction-runner.ts';
import { RequestError } from './request-error.ts';
import { OnDemandSchema } from './schema/on-demand-schema.ts';
import { readRegistry } from './schema/registry/read-registry.ts';
import { makeRoleView } from './schema/view/role-view.ts';

/** Memory for the answers of one operation at a time. */
const answerBytes = 64 * 1024 * 1024;

/**
 * Opens Hasura's dialect inside a transaction. Rules for back ends apply, as they do in SQL; extensions and introspection
 * are left out.
 */
export function openInTransaction(config: Config, ownerUrl: () => Promise<string>): OpenGraphql {
  return async (client, model) => {
    const registry = await readRegistry(await ownerUrl(), model.tables.values());
    const pool = new TransactionRunner(client);
    const memory = new AnswerMemory(answerBytes);
    const budget = new Budget(config.operations.planBytes);
    const engines = new Map<RoleModel, HasuraEngine>();
    const makeEngine = (role: RoleModel) => {
      const view = makeRoleView(model, role, registry, true);
      return new HasuraEngine({
        ...engineOptionsOf(view, model, config),
        ...{ schema: new OnDemandSchema(view), pool, memory, budget },
        introspect: async () => ({}),
        isListed: undefined,
      });
    };
    return async ({ role, variables, query }) => {
      const engine = engines.get(role) ?? makeEngine(role);
      engines.set(role, engine);
      const request = { query, operationName: undefined, variables: undefined, bytes: undefined };
      const delivery = { signal: new AbortController().signal, whenSent: undefined };
      const caller = { role, variables, isBackend: true };
      const share = { role: role.name, caller: role.name, weight: 1 };
      try {
        const from = { caller, address: '127.0.0.1', headers: {} };
        return JSON.parse(decodeAnswer(await engine.run({ ...request, ...delivery }, from, share)));
      } catch (error) {
        if (!(error instanceof RequestError)) throw error;
        // The tests wait for locks and report time limits in the same way as in SQL.
        if (isInterruption(error.cause)) throw error.cause;
        return { error: error.message };
      }
    };
  };
}
