import {
  isInterruption,
  type OpenGraphql,
  type RoleModel,
  takesSession,
} from '../../permissions/index.ts';
import type { Config } from '../config/config.ts';
import { AnswerMemory } from '../db/requests/answer-memory.ts';
import { Budget } from '../lru.ts';
import { decodeAnswer } from './answer-text.ts';
import { compileOptionsOf } from './execute/compile-options.ts';
import { HasuraEngine } from './execute/hasura-engine.ts';
import { TransactionRunner } from './execute/transaction-runner.ts';
import { limitsOf } from './limits/role-limits.ts';
import { RequestError } from './request-error.ts';
import { OnDemandSchema } from './schema/on-demand-schema.ts';
import { readRegistry } from './schema/registry/read-registry.ts';
import { makeRoleView } from './schema/view/role-view.ts';
import { searchPathOf } from './search-path.ts';

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
      const limits = limitsOf(role, config.limits);
      const view = makeRoleView(model, role, registry, true);
      return new HasuraEngine({
        ...{ view, schema: new OnDemandSchema(view), pool, memory, budget, ...limits },
        introspect: async () => ({}),
        variableNames: model.variables,
        takesSession: takesSession(model),
        searchPath: searchPathOf(model),
        headerPrefix: model.headerPrefix,
        compile: compileOptionsOf(config, limits),
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
