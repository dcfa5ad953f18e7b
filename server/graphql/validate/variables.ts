import {
  type GraphQLInputType,
  type GraphQLSchema,
  isListType,
  isNonNullType,
  Kind,
  type OperationDefinitionNode,
  print,
  type TypeNode,
  typeFromAST,
  type VariableDefinitionNode,
} from 'postgraphile/graphql';
import { isJsonObject, type Json } from '../json.ts';
import { MAX_PARTS } from '../limits/condition-parts.ts';
import { RequestError, validationFailed } from '../request-error.ts';
import { clientValueOfJson } from './client-value.ts';
import { jsonInDocument } from './json-in-document.ts';
import { checkPaging } from './scalar.ts';
import { checkText } from './storable-text.ts';
import { checkValue, unexpectedNull, type VariablePlace } from './value.ts';

/** A place of the document with a variable. */
export interface VariableUsage extends VariablePlace {
  /** The paging argument whose value is the variable; such an argument has a separate check. */
  readonly paging: 'limit' | 'offset' | undefined;
  /**
   * True if the variable is a whole argument. An absent variable then omits the argument; in other places it counts as
   * null.
   */
  readonly isArgument: boolean;
}

/** The variables that the request provides or that have a default. */
export type Variables = ReadonlyMap<string, Json>;

/** Checks that the declared type of a variable fits the type at its place. */
export function checkDeclared(
  schema: GraphQLSchema,
  operation: OperationDefinitionNode,
  usage: VariableUsage,
  hasDefault: boolean,
): void {
  const { name, type, path } = usage;
  const definition = operation.variableDefinitions?.find(
    ({ variable }) => variable.name.value === name,
  );
  if (!definition) throw validationFailed(`unbound variable "${name}"`, path);
  const declared = inputTypeOf(schema, definition.type);
  const nonNull =
    hasDefault || (definition.defaultValue && definition.defaultValue.kind !== Kind.NULL);
  if (declared && fits(declared, nonNull && isNonNullType(type) ? type.ofType : type)) return;
  throw validationFailed(
    `variable '${name}' is declared as '${print(definition.type)}', but used where '${type}' is expected`,
    path,
  );
}

/** Reads the variables of one request. @throws RequestError */
export function readVariables(
  operation: OperationDefinitionNode,
  raw: Json | undefined,
): Variables {
  if (raw !== undefined && raw !== null && !isJsonObject(raw)) {
    throw new RequestError('parse-failed', 'expected an object for "variables"', '$.variables');
  }
  const found = new Map<string, Json>();
  for (const definition of operation.variableDefinitions ?? []) {
    const name = definition.variable.name.value;
    const value = raw && Object.hasOwn(raw, name) ? raw[name] : defaultOf(definition);
    if (value === null && definition.type.kind === Kind.NON_NULL_TYPE) {
      throw validationFailed(`null value found for non-nullable type: "${print(definition.type)}"`);
    }
    if (value !== undefined) found.set(name, value);
    else if (definition.type.kind === Kind.NON_NULL_TYPE) {
      throw validationFailed(
        `expecting a value for non-nullable variable: "${name}"`,
        '$.variableValues',
      );
    }
  }
  return found;
}

/** Checks the values of variables at their places in the document. @throws RequestError with the path of the place */
export function checkVariables(
  usages: readonly VariableUsage[],
  variables: Variables,
  hint: string,
): void {
  const context = { hint, onVariable: () => {}, left: MAX_PARTS };
  for (const usage of usages) {
    const value = variables.get(usage.name);
    if (value === undefined && usage.isArgument) continue;
    const given = clientValueOfJson(value ?? null);
    if (usage.rejectsNull && given.kind === 'null') throw unexpectedNull(usage.type, usage.path);
    if (usage.paging) checkPaging(given, usage.paging, usage.path);
    else checkValue(given, usage, context);
  }
  const used = namesIn(usages);
  // A variable inside a JSON value may have any type.
  for (const [name, value] of variables) {
    if (!used.has(name)) checkText(clientValueOfJson(value), `$.variableValues.${name}`);
  }
}

const names = new WeakMap<readonly VariableUsage[], ReadonlySet<string>>();

/** Returns the names of the variables at these places, which are the same for all requests with a document. */
function namesIn(usages: readonly VariableUsage[]): ReadonlySet<string> {
  const known = names.get(usages);
  if (known) return known;
  const found = new Set(usages.map(({ name }) => name));
  names.set(usages, found);
  return found;
}

function defaultOf({ defaultValue }: VariableDefinitionNode): Json | undefined {
  return defaultValue && jsonInDocument(defaultValue);
}

function inputTypeOf(schema: GraphQLSchema, node: TypeNode): GraphQLInputType | undefined {
  // typeFromAST has no overload for TypeNode in general. The result is only compared with an input type.
  return typeFromAST(schema, node as never) as GraphQLInputType | undefined;
}

function fits(declared: GraphQLInputType, expected: GraphQLInputType): boolean {
  if (isNonNullType(expected))
    return isNonNullType(declared) && fits(declared.ofType, expected.ofType);
  if (isNonNullType(declared)) return fits(declared.ofType, expected);
  if (isListType(expected)) return isListType(declared) && fits(declared.ofType, expected.ofType);
  return declared === expected;
}
