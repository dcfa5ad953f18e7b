import { Type } from 'typebox';
import { headerOf, type Model, type RoleModel, roleNamed } from '../../../permissions/index.ts';
import type { Endpoint } from '../../http/endpoint/define-endpoint.ts';
import type { AdminScope } from '../admin-endpoint.ts';
import { adminReading } from '../admin-reading.ts';
import { schemaAnswer } from '../bodies.ts';

/** Makes the endpoint that describes what a role can ask for. */
export function schemaEndpoint(scope: AdminScope): Endpoint {
  return adminReading(
    {
      path: '/admin/schema',
      operationId: 'getSchema',
      summary: 'show the GraphQL schema of a role, its session variables and its listed documents',
      query: Type.Object({ role: Type.String() }, { additionalProperties: false }),
      answer: schemaAnswer,
      work: async ({ role: name }) => {
        const model = scope.model();
        const role = roleNamed(name, 'schema', model);
        const rest = JSON.stringify({
          variables: variablesFor(role, model),
          documents: documentsFor(role, model),
        });
        // Joined as texts, because the schema of a large project has megabytes.
        return `{"schema":${await scope.graphql.describe(role)},${rest.slice(1)}`;
      },
    },
    scope,
  );
}

function variablesFor({ requires }: RoleModel, { variables, headerPrefix }: Model) {
  return variables.map((name) => ({
    header: headerOf(name, headerPrefix),
    isRequired: requires.includes(name),
  }));
}

function documentsFor({ name }: RoleModel, { allowList }: Model) {
  return allowList
    .filter(({ roles }) => name === 'admin' || roles === 'everybody' || roles.includes(name))
    .map(({ collection, name: document, text }) => ({ name: `${collection}/${document}`, text }));
}
