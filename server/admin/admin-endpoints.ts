import {
  buildMatrix,
  explainAccess,
  explainRule,
  findTable,
  type Model,
  questionAbout,
  roleNamed,
  runInSlices,
  type Steps,
} from '../../permissions/index.ts';
import type { Closers } from '../closers.ts';
import { searchPathOf } from '../graphql/search-path.ts';
import type { Endpoint } from '../http/endpoint/define-endpoint.ts';
import { type AdminAccessOptions, makeAdminAccess } from './admin-access.ts';
import { type AdminScope, adminEndpoint } from './admin-endpoint.ts';
import { makeAsEndpoints } from './as/as-endpoints.ts';
import {
  accessAnswer,
  accessBody,
  matrixAnswer,
  matrixBody,
  queryAnswer,
  queryBody,
  ruleAnswer,
  ruleBody,
} from './bodies.ts';
import { explained, namesIn, pairsIn, variablesIn } from './explained.ts';
import { graphqlEndpoint, graphqlWriteEndpoint } from './explorer/graphql-endpoints.ts';
import { schemaEndpoint } from './explorer/schema-endpoint.ts';
import { comparisonEndpoint, historyEndpoint } from './health/history-endpoints.ts';
import { OwnerReadings } from './owner-readings.ts';
import { OwnerSessions } from './owner-sessions.ts';
import { makeWorkEndpoints } from './work/work-endpoints.ts';

export interface AdminOptions
  extends Omit<AdminScope, 'access' | 'connections' | 'readings'>,
    AdminAccessOptions {
  /** Receives the function that closes connections. */
  readonly closers: Pick<Closers, 'add'>;
}

/** Makes the environment of the endpoints for admins. */
export function makeAdminScope(options: AdminOptions): AdminScope {
  const { ownerUrl, config, closers, logger } = options;
  const { statementTimeoutMs } = config.limits;
  const connections = new OwnerSessions({ ownerUrl, statementTimeoutMs });
  const readings = new OwnerReadings({ ownerUrl, logger });
  closers.add(() => readings.close());
  return { ...options, access: makeAdminAccess(options), connections, readings };
}

/** Makes the endpoints that explain rules to admins. */
export function makeAdminEndpoints(scope: AdminScope): readonly Endpoint[] {
  const explaining = [ruleEndpoint, accessEndpoint, queryEndpoint, matrixEndpoint];
  const exploring = [schemaEndpoint, graphqlEndpoint, graphqlWriteEndpoint];
  const makers = [...explaining, ...exploring, historyEndpoint, comparisonEndpoint];
  return [
    ...makers.map((make) => make(scope)),
    ...makeAsEndpoints(scope),
    ...makeWorkEndpoints(scope),
  ];
}

function ruleEndpoint(scope: AdminScope): Endpoint {
  return adminEndpoint(
    {
      path: '/admin/explain/rule',
      operationId: 'explainRule',
      summary: 'show the place of a rule, its meaning, and the SQL that enforces it',
      body: ruleBody,
      answer: ruleAnswer,
      subject: ({ role, table, operation }) => ({ role, table, operation }),
      work: ({ role, table, operation }, session) => {
        const model = scope.model();
        const question = questionAbout({ role, table, command: operation }, model);
        return explained(session, (client) => explainRule(client, question, model));
      },
    },
    scope,
  );
}

function accessEndpoint(scope: AdminScope): Endpoint {
  return adminEndpoint(
    {
      path: '/admin/explain/access',
      operationId: 'explainAccess',
      summary: 'say why a role may or may not see or change one row',
      description:
        'Tries the statement as the role, and undoes it: triggers run, sequences advance, and the row is locked for a moment. The answer contains values of the row.',
      body: accessBody,
      answer: accessAnswer,
      subject: ({ role, table, operation, key, columns, values, sessionVariables }) => ({
        ...{ role, table, operation },
        columns: [...namesIn(key), ...(columns ?? []), ...namesIn(values)],
        variables: namesIn(sessionVariables),
      }),
      work: ({ columns = [], key, values, sessionVariables, ...words }, session) => {
        const model = scope.model();
        const { role, ...about } = questionAbout({ ...words, command: words.operation }, model);
        const principal = { role, variables: variablesIn(sessionVariables, model) };
        const question = {
          ...about,
          principal,
          columns,
          key: pairsIn(key),
          values: pairsIn(values),
        };
        const searchPath = searchPathOf(model);
        return explained(session, (client) =>
          explainAccess(client, question, { model, searchPath }),
        );
      },
    },
    scope,
  );
}

function queryEndpoint(scope: AdminScope): Endpoint {
  return adminEndpoint(
    {
      path: '/admin/explain/query',
      operationId: 'explainQuery',
      summary: 'show the SQL and the plan of a GraphQL query, and what the rules cost',
      description: 'Mutations are refused. With `analyze`, the query runs and cannot write.',
      body: queryBody,
      answer: queryAnswer,
      subject: ({ role, sessionVariables }) => ({ role, variables: namesIn(sessionVariables) }),
      work: async (body, session) => {
        const { query, operationName, variables, sessionVariables, analyze = false } = body;
        const [model, registry] = [scope.model(), scope.registry()];
        const role = roleNamed(body.role, 'explain query', model);
        const principal = { role, variables: variablesIn(sessionVariables, model) };
        // Imported on demand, because the module loads the compiler of GraphQL.
        const { explainDocument } = await import('../graphql/explain/explain-document.ts');
        const question = { query, operationName, variables };
        const options = { model, registry, config: scope.config, principal, analyze };
        return explained(session, (client) => explainDocument(client, question, options));
      },
    },
    scope,
  );
}

function matrixEndpoint(scope: AdminScope): Endpoint {
  return adminEndpoint(
    {
      path: '/admin/matrix',
      operationId: 'getMatrix',
      summary: 'show which role may see and change what',
      body: matrixBody,
      answer: matrixAnswer,
      subject: () => ({}),
      work: async ({ roles, tables }) => {
        const model = scope.model();
        const keys = [...model.tables.keys()];
        const found = tables?.map((name) => findTable(name, keys));
        const named = roles?.map((name) => roleNamed(name, 'matrix', model).name);
        return runInSlices(matrixOf(model, found ?? keys, named));
      },
    },
    scope,
  );
}

/** Writes the matrix as JSON, table by table, because other requests would wait for all tables at once. */
function* matrixOf(
  model: Model,
  tables: readonly string[],
  roles: readonly string[] | undefined,
): Steps<string> {
  const ofRoles = roles ? { roles } : {};
  const tableTexts: string[] = [];
  const entryTexts: string[] = [];
  for (const key of new Set(tables)) {
    const part = buildMatrix(model, { ...ofRoles, tables: [key] });
    tableTexts.push(...part.tables.map((one) => JSON.stringify(one)));
    entryTexts.push(...part.entries.map((one) => JSON.stringify(one)));
    yield;
  }
  const roleText = JSON.stringify(buildMatrix(model, { ...ofRoles, tables: [] }).roles);
  return `{"roles":${roleText},"tables":[${tableTexts.join()}],"entries":[${entryTexts.join()}]}`;
}
