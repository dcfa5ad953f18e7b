import {
  keptTest,
  listRows,
  questionAbout,
  roleNamed,
  titledHeader,
  tryOperation,
} from '../../../permissions/index.ts';
import { searchPathOf } from '../../graphql/search-path.ts';
import { Refusal } from '../../http/answers/problem.ts';
import type { Endpoint } from '../../http/endpoint/define-endpoint.ts';
import { type AdminScope, adminEndpoint } from '../admin-endpoint.ts';
import { adminReading } from '../admin-reading.ts';
import { explained, namesIn, pairsIn, variablesIn } from '../explained.ts';
import {
  peopleAnswer,
  peopleBody,
  roleAnswer,
  roleQuery,
  rowsAnswer,
  rowsBody,
  tableAnswer,
  tableQuery,
  tryAnswer,
  tryBody,
} from './as-bodies.ts';
import { factsOfTable, variablesOfRole } from './as-facts.ts';

/** Makes the endpoints that show data as a role sees them. */
export function makeAsEndpoints(scope: AdminScope): readonly Endpoint[] {
  return [roleReading, tableReading, peopleEndpoint, rowsEndpoint, tryEndpoint].map((make) =>
    make(scope),
  );
}

function roleReading(scope: AdminScope): Endpoint {
  return adminReading(
    {
      path: '/admin/as/role',
      operationId: 'getRoleFacts',
      summary: 'list the session variables that the rules of a role read',
      query: roleQuery,
      answer: roleAnswer,
      work: async ({ role }) => {
        const model = scope.model();
        const variables = variablesOfRole(roleNamed(role, 'as', model), model);
        return JSON.stringify({ variables, findsPeople: scope.findPeople !== undefined });
      },
    },
    scope,
  );
}

function tableReading(scope: AdminScope): Endpoint {
  return adminReading(
    {
      path: '/admin/as/table',
      operationId: 'getTableFacts',
      summary: 'list the columns and relationships of a table, and what a role may do with them',
      query: tableQuery,
      answer: tableAnswer,
      work: async (words) => {
        const { role, table } = questionAbout({ ...words, command: 'select' }, scope.model());
        return JSON.stringify(factsOfTable(role, table));
      },
    },
    scope,
  );
}

function peopleEndpoint(scope: AdminScope): Endpoint {
  return adminEndpoint(
    {
      path: '/admin/as/people',
      operationId: 'findPeople',
      summary: 'find people with their roles and session variables',
      description: 'Only with an application that registers people.',
      body: peopleBody,
      answer: peopleAnswer,
      subject: () => ({}),
      work: async ({ search }, session) => {
        const { findPeople } = scope;
        if (!findPeople) {
          const detail = 'this server has no application that registers people; choose a role';
          throw new Refusal({ status: 404, code: 'not-found', detail });
        }
        const model = scope.model();
        const found = await session.rolledBack((client) => findPeople(client, search, model));
        const people = found.map(({ name, callers }) => ({
          name,
          callers: callers.map(({ role, variables }) => ({
            role: role.name,
            sessionVariables: Object.fromEntries(
              [...variables].map(([key, text]) => [titledHeader(key, model.headerPrefix), text]),
            ),
          })),
        }));
        return JSON.stringify({ people });
      },
    },
    scope,
  );
}

function rowsEndpoint(scope: AdminScope): Endpoint {
  return adminEndpoint(
    {
      path: '/admin/as/rows',
      operationId: 'listRowsAs',
      summary: 'list rows of a table as a role sees them',
      description:
        'Postgres reads the rows as the role, under row security. The values that the role does not get are answered, too, and marked.',
      body: rowsBody,
      answer: rowsAnswer,
      subject: ({ role, table, match, after, sessionVariables }) => ({
        ...{ role, table, operation: 'select' },
        columns: [...namesIn(match), ...namesIn(after)],
        variables: namesIn(sessionVariables),
      }),
      work: ({ role: name, table: of, sessionVariables, ...page }, session) => {
        const model = scope.model();
        const { role, table } = questionAbout({ role: name, table: of, command: 'select' }, model);
        const question = {
          principal: { role, variables: variablesIn(sessionVariables, model) },
          table,
          match: pairsIn(page.match),
          after: pairsIn(page.after),
          withHidden: page.withHidden ?? false,
        };
        const searchPath = searchPathOf(model);
        return explained(session, (client) => listRows(client, question, { model, searchPath }));
      },
    },
    scope,
  );
}

function tryEndpoint(scope: AdminScope): Endpoint {
  return adminEndpoint(
    {
      path: '/admin/as/try',
      operationId: 'tryOperationAs',
      summary: 'try an operation with one row as a role, and undo it',
      description:
        'Answers as `/admin/explain/access`, with the row that an allowed write would leave, and with a test that expects the outcome. Nothing stays, but triggers run, sequences advance, and the row is locked for a moment.',
      body: tryBody,
      answer: tryAnswer,
      subject: ({ role, table, operation, key, values, sessionVariables }) => ({
        ...{ role, table, operation },
        columns: [...namesIn(key), ...namesIn(values)],
        variables: namesIn(sessionVariables),
      }),
      work: ({ key, values, sessionVariables, ...words }, session) => {
        const model = scope.model();
        const { role, ...about } = questionAbout({ ...words, command: words.operation }, model);
        const { columns: shown = [], columnMasks } = role.tables.get(about.table.key)?.select ?? {};
        const question = {
          ...about,
          principal: { role, variables: variablesIn(sessionVariables, model) },
          columns: shown.filter((column) => columnMasks?.has(column)),
          key: pairsIn(key),
          values: pairsIn(values),
        };
        const rules = { model, searchPath: searchPathOf(model) };
        return explained(session, async (client) => {
          const outcome = await tryOperation(client, question, rules);
          const test = await keptTest(client, question, outcome, rules);
          return { ...outcome, ...(test !== undefined && { test }) };
        });
      },
    },
    scope,
  );
}
