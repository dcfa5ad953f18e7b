import {
  DirectiveLocation,
  type FieldNode,
  type GraphQLObjectType,
  type GraphQLSchema,
  getNamedType,
  isObjectType,
  Kind,
  SchemaMetaFieldDef,
  type SelectionSetNode,
  TypeMetaFieldDef,
  TypeNameMetaFieldDef,
} from 'postgraphile/graphql';
import { checkDepth } from '../limits/depth.ts';
import { RequestError, validationFailed } from '../request-error.ts';
import { checkArguments } from './arguments.ts';
import { checkDirectives } from './directives.ts';
import type { SelectionContext } from './selection-context.ts';

/** The place of a selection set. */
interface Place {
  readonly type: GraphQLObjectType;
  readonly path: string;
  /** The path of the selection set, including the fragments that lead to it. */
  readonly trail: string;
  /** 1 for the root fields. */
  readonly depth: number;
  /** Names of the surrounding fragments. */
  readonly within: readonly string[];
  /** Number of surrounding fragments, including inline fragments. */
  readonly fragments: number;
  readonly isIntrospection: boolean;
}

const LOCATIONS = {
  [Kind.FIELD]: DirectiveLocation.FIELD,
  [Kind.FRAGMENT_SPREAD]: DirectiveLocation.FRAGMENT_SPREAD,
  [Kind.INLINE_FRAGMENT]: DirectiveLocation.INLINE_FRAGMENT,
} as const;

const ROOT_LOCATIONS = {
  query: DirectiveLocation.QUERY,
  mutation: DirectiveLocation.MUTATION,
  subscription: DirectiveLocation.SUBSCRIPTION,
} as const;

/** Checks the root selection set and everything below it. @throws RequestError at the first mistake */
export function checkRoot(context: SelectionContext, root: GraphQLObjectType): void {
  const { directives, operation, selectionSet } = context.operation;
  checkDirectives(context, directives ?? [], ROOT_LOCATIONS[operation], '$');
  checkSelections(context, selectionSet, {
    type: root,
    path: '$',
    trail: '$',
    depth: 1,
    within: [],
    fragments: 0,
    isIntrospection: false,
  });
}

function checkSelections(context: SelectionContext, set: SelectionSetNode, place: Place): void {
  const { isIntrospection, fragments: fragmentDepth, path } = place;
  const depth = isIntrospection ? 0 : place.depth;
  checkDepth({ depth, fragments: fragmentDepth, path }, context);
  for (const selection of set.selections) {
    context.nodes.countSelection(isIntrospection);
    const { directives, kind } = selection;
    const location = LOCATIONS[kind];
    checkDirectives(context, directives ?? [], location, `${place.path}.selectionSet`);
    if (selection.kind === Kind.FIELD) checkField(context, selection, place);
    else if (selection.kind === Kind.INLINE_FRAGMENT) {
      const fragments = place.fragments + 1;
      checkSelections(context, selection.selectionSet, { ...place, fragments });
    } else checkSpread(context, selection.name.value, place);
  }
}

function checkSpread(context: SelectionContext, name: string, place: Place): void {
  const { within, fragments } = place;
  const at = `${place.trail}.selectionSet`;
  const fragment = context.fragments.get(name);
  if (!fragment) throw validationFailed(`reference to undefined fragment "${name}"`, at);
  if (within.includes(name)) {
    const names = englishList(within.slice(within.indexOf(name)));
    throw validationFailed(`the fragment definition(s) ${names} form a cycle`, at);
  }
  checkSelections(context, fragment.selectionSet, {
    ...place,
    trail: `${at}.${name}`,
    within: [...within, name],
    fragments: fragments + 1,
  });
}

// Formats a list as Hasura does: `a`, `a and b`, `a, b, and c`.
function englishList(names: readonly string[]): string {
  const [first, second, ...others] = names;
  if (others.length === 0) return second === undefined ? `${first}` : `${first} and ${second}`;
  return `${names.slice(0, -1).join(', ')}, and ${names.at(-1)}`;
}

function checkField(context: SelectionContext, node: FieldNode, place: Place): void {
  const name = node.name.value;
  const path = `${place.path}.selectionSet.${name}`;
  refuseIntrospection(context, name);
  const field = findField(context.schema, place.type, name);
  if (!field) {
    throw validationFailed(
      `field '${name}' not found in type: '${place.type.name}'${context.hint}`,
      path,
    );
  }
  context.nodes.countField(name, place.isIntrospection);
  const owner = { name, args: field.args, path, isDirective: false };
  checkArguments(context, node.arguments ?? [], owner);
  const type = getNamedType(field.type);
  if (!isObjectType(type)) {
    if (node.selectionSet) {
      throw validationFailed('unexpected subselection set for non-object field', path);
    }
    return;
  }
  if (!node.selectionSet) throw validationFailed(`missing selection set for '${name}'`, path);
  const isIntrospection = place.isIntrospection || name.startsWith('__');
  const trail = `${place.trail}.selectionSet.${name}`;
  const depth = place.depth + 1;
  const inside = { ...place, type, path, trail, depth, isIntrospection };
  checkSelections(context, node.selectionSet, inside);
}

function refuseIntrospection({ role }: SelectionContext, name: string): void {
  if (name !== SchemaMetaFieldDef.name && name !== TypeMetaFieldDef.name) return;
  if (role.introspection) return;
  throw new RequestError('not-supported', `introspection is disabled for role: "${role.name}"`);
}

function findField(schema: GraphQLSchema, type: GraphQLObjectType, name: string) {
  const isQuery = type === schema.getQueryType();
  if (name === TypeNameMetaFieldDef.name) return TypeNameMetaFieldDef;
  if (isQuery && name === SchemaMetaFieldDef.name) return SchemaMetaFieldDef;
  if (isQuery && name === TypeMetaFieldDef.name) return TypeMetaFieldDef;
  return Object.hasOwn(type.getFields(), name) ? type.getFields()[name] : undefined;
}
