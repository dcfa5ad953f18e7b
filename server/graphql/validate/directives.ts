import { DirectiveLocation, type DirectiveNode } from 'postgraphile/graphql';
import { validationFailed } from '../request-error.ts';
import { checkArguments } from './arguments.ts';
import type { SelectionContext } from './selection-context.ts';

const PLACES: Readonly<Record<string, string>> = {
  [DirectiveLocation.QUERY]: 'a query',
  [DirectiveLocation.MUTATION]: 'a mutation',
  [DirectiveLocation.SUBSCRIPTION]: 'a subscription',
  [DirectiveLocation.FIELD]: 'a field',
  [DirectiveLocation.FRAGMENT_SPREAD]: 'a fragment spread',
  [DirectiveLocation.INLINE_FRAGMENT]: 'an inline fragment',
};

/** Checks the directives at one place of the document. @throws RequestError with Hasura's messages */
export function checkDirectives(
  context: SelectionContext,
  nodes: readonly DirectiveNode[],
  location: DirectiveLocation,
  path: string,
): void {
  for (const { name, arguments: given } of nodes) {
    const directive = context.schema.getDirective(name.value);
    if (!directive) {
      throw validationFailed(`directive '${name.value}' is not defined in the schema`, path);
    }
    if (!directive.locations.includes(location)) {
      throw validationFailed(
        `directive '${name.value}' is not allowed on ${PLACES[location]}`,
        path,
      );
    }
    const { args } = directive;
    const place = { name: name.value, args, path: `${path}.${name.value}`, isDirective: true };
    checkArguments(context, given ?? [], place);
  }
  const names = nodes.map(({ name }) => name.value);
  const twice = [...new Set(names.filter((name, index) => names.indexOf(name) !== index))];
  if (twice.length === 0) return;
  const list = twice.map((name) => `'${name}'`).join(', ');
  throw validationFailed(`the following directives are used more than once: [${list}]`, path);
}
