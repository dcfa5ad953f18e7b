import { type ArgumentNode, type GraphQLArgument, isRequiredArgument } from 'postgraphile/graphql';
import { MAX_PARTS } from '../limits/condition-parts.ts';
import { validationFailed } from '../request-error.ts';
import { type ClientValue, clientValueInDocument } from './client-value.ts';
import { checkPaging } from './scalar.ts';
import type { SelectionContext } from './selection-context.ts';
import { checkValue, type ValueContext, type ValuePlace } from './value.ts';
import { targetOfArgument } from './value-target.ts';
import { checkDeclared } from './variables.ts';

/** A field or a directive, which has arguments. */
export interface ArgumentOwner {
  /** Name of the field or directive. */
  readonly name: string;
  readonly args: readonly GraphQLArgument[];
  readonly path: string;
  readonly isDirective: boolean;
}

/** Checks the arguments of a field or directive. @throws RequestError */
export function checkArguments(
  context: SelectionContext,
  nodes: readonly ArgumentNode[],
  { name: owner, args, path, isDirective }: ArgumentOwner,
): void {
  const given = new Map(nodes.map((node) => [node.name.value, node.value]));
  for (const name of given.keys()) {
    if (args.some((argument) => argument.name === name)) continue;
    throw validationFailed(`'${owner}' has no argument named '${name}'${context.hint}`, path);
  }
  for (const argument of args) {
    const node = given.get(argument.name);
    const place = `${path}.args.${argument.name}`;
    if (node) {
      const target = isDirective ? 'graphql' : targetOfArgument(argument);
      checkArgument(context, clientValueInDocument(node), argument, { path: place, target });
    } else if (isRequiredArgument(argument)) {
      throw validationFailed(`missing required field '${argument.name}'`, place);
    }
  }
}

function checkArgument(
  context: SelectionContext,
  given: ClientValue,
  argument: GraphQLArgument,
  { path, target }: Pick<ValuePlace, 'path' | 'target'>,
): void {
  const paging = pagingOf(argument);
  const isDefault = argument.defaultValue !== undefined;
  const use: ValueContext['onVariable'] = (place) => {
    const isArgument = place.path === path;
    const usage = { ...place, isArgument, paging: isArgument ? paging : undefined };
    checkDeclared(context.schema, context.operation, usage, isArgument && isDefault);
    context.usages.push(usage);
  };
  if (paging && given.kind !== 'variable') checkPaging(given, paging, path);
  else {
    const place = { type: argument.type, path, target };
    checkValue(given, place, { hint: context.hint, onVariable: use, left: MAX_PARTS });
  }
}

function pagingOf({ name, type }: GraphQLArgument): 'limit' | 'offset' | undefined {
  return String(type) === 'Int' && (name === 'limit' || name === 'offset') ? name : undefined;
}
