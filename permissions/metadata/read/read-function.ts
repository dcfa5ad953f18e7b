import type { Report } from '../../diagnostics.ts';
import type { RawFunction, RawFunctionField, RawRights } from '../raw.ts';
import type { RawNode } from '../yaml/node.ts';
import { fieldOf, itemsOf, nameOf, requiredFieldOf } from '../yaml/raw-access.ts';
import { readName, textOf } from './read-graphql.ts';
import { readTableName } from './read-table-name.ts';

/** A valid file of functions/; a name that could mean several functions is reported. */
export function readFunction(file: string, root: RawNode, report: Report): RawFunction | undefined {
  const called = readTableName(requiredFieldOf(root, 'function'), report, 'function');
  if (!called) return undefined;
  const exposed = textOf(fieldOf(root, 'exposed_as'));
  const session = fieldOf(root, 'session_argument');
  const graphql = fieldOf(root, 'graphql');
  const name = graphql && fieldOf(graphql, 'name');
  return {
    file,
    function: called,
    exposedAs: exposed === 'query' || exposed === 'mutation' ? exposed : undefined,
    sessionArgument: session && nameOf(session),
    rights: readRights(fieldOf(root, 'rights')),
    permissions: itemsOf(fieldOf(root, 'permissions')).map(nameOf),
    graphql: {
      name: name && nameOf(name),
      description: textOf(graphql && fieldOf(graphql, 'description')),
      function: readField(graphql, 'function'),
      functionAggregate: readField(graphql, 'function_aggregate'),
    },
  };
}

/** `rights:` of a function or computed field. */
export function readRights(node: RawNode | undefined): RawRights | undefined {
  if (!node) return undefined;
  return { of: nameOf(node).name === 'owner' ? 'owner' : 'caller', position: node.position };
}

function readField(graphql: RawNode | undefined, key: string): RawFunctionField {
  const fields = graphql && fieldOf(graphql, 'root_fields');
  const field = fields && fieldOf(fields, key);
  return field ? readName(field) : { name: undefined, description: undefined };
}
