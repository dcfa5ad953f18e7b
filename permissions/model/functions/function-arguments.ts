import type { Catalog } from '../../catalog/catalog.ts';
import type { CatalogArgument, CatalogFunction } from '../../catalog/types.ts';
import { isJsonType } from '../../expressions/literals.ts';
import type { RawRights } from '../../metadata/schemas/tables/table-reference.ts';
import { graphqlName, looksLikeVariable, variableName } from '../../text/names.ts';
import type { TableKey, VariableName } from '../../types/names.ts';
import type { ComputedArgument } from '../../types/tables.ts';

/** The reason why a function is not suitable, and the way to fix that. */
export interface FunctionProblem {
  readonly message: string;
  readonly hint?: string;
}

/** Names of the arguments that do not come from the client. */
interface Given {
  /** Name of the argument that takes the session variables. */
  readonly session: string | undefined;
  readonly row?: CatalogArgument | undefined;
}

/**
 * Returns the problem when a file sets the caller's rights for a `security definer` function. Such a function always
 * runs with its owner's rights.
 */
export function rightsProblem(
  { definer }: CatalogFunction,
  rights: RawRights | undefined,
): FunctionProblem | undefined {
  if (!definer || rights?.of !== 'caller') return undefined;
  return {
    message: 'it is security definer, so that it never acts with the rights of its caller',
    hint: 'write rights: owner, or make it security invoker',
  };
}

/**
 * Returns the problem when a function reads a view with the caller's rights. No role may read a user-defined view
 * directly; roles read views only through generated views. When the body is stored as text, Postgres does not record
 * what the body reads, so only a returned row type of a view shows the problem.
 */
export function viewProblem(
  found: CatalogFunction,
  rights: RawRights['of'],
  catalog: Catalog,
  tracked: { has(key: TableKey): boolean },
): Required<FunctionProblem> | undefined {
  if (rights === 'owner') return undefined;
  const given = catalog.tableOf(catalog.type(found.result));
  const isView = given !== undefined && catalog.tables.get(given)?.view;
  const read = found.views ?? (isView ? [given] : []);
  const view = read.find((key) => tracked.has(key));
  if (view === undefined) return undefined;
  const what = found.views ? 'reads' : 'gives rows of';
  const without = ', or let it have a body in `begin atomic` that does not read the view';
  return {
    message: `it ${what} the view ${view} with the rights of its caller, whom no rule lets read it there`,
    hint: `write rights: owner${found.views ? '' : without}`,
  };
}

/** Returns the problem when a function has arguments that no call can pass or no client can name. */
export function argumentProblem(
  found: CatalogFunction,
  given: Given,
  catalog: Catalog,
): FunctionProblem | undefined {
  if (found.arguments.some(({ mode }) => mode !== 'i')) {
    const hint = 'let it take plain arguments';
    return { message: 'it has arguments that are not plain inputs', hint };
  }
  const clients = found.arguments.filter(
    (one) => one !== given.row && (given.session === undefined || one.name !== given.session),
  );
  const labels = argumentNames(clients);
  const names = new Set<string>();
  for (const [index, { type }] of clients.entries()) {
    const { kind, name: typeName } = catalog.type(type);
    const label = labels[index] ?? '';
    if (kind === 'p') {
      const message = `its argument "${label}" is of type ${typeName}, which no client can give`;
      return { message, hint: 'let it take arguments of one type each' };
    }
    if (names.has(label)) {
      const message = `two of its arguments would be called "${label}" in GraphQL`;
      return { message, hint: 'give one of them another name' };
    }
    names.add(label);
  }
  return undefined;
}

/** Returns the GraphQL names of the client's arguments. Arguments without a name are called `arg_1`, `arg_2` … */
export function argumentNames(
  clients: readonly { readonly name?: string | undefined }[],
): readonly string[] {
  let unnamed = 0;
  return clients.map(({ name }) => (name ? graphqlName(name) : `arg_${++unnamed}`));
}

/**
 * Returns the problem when the file names a session argument that does not exist or cannot take the session variables.
 */
export function sessionProblem(
  found: CatalogFunction,
  { session, row }: Given,
  catalog: Catalog,
): FunctionProblem | undefined {
  if (session === undefined) return undefined;
  const hint = 'see session_argument';
  const argument = found.arguments.find(({ name }) => name === session);
  if (!argument) return { message: `it has no argument "${session}"`, hint };
  if (argument === row) return { message: `its argument "${session}" takes the row`, hint };
  if (isJsonType(catalog.typeName(catalog.type(argument.type)))) return undefined;
  return { message: `its argument "${session}" takes no session, which is json or jsonb`, hint };
}

/** Turns an argument into the facts that printing a call needs. */
export function makeArgument(
  argument: CatalogArgument,
  kind: ComputedArgument['kind'],
  catalog: Catalog,
): ComputedArgument {
  return {
    name: argument.name || undefined,
    type: catalog.typeName(catalog.type(argument.type)),
    hasDefault: argument.hasDefault,
    default: argument.default ?? undefined,
    kind,
  };
}

/**
 * Returns the session variables that the body of a function probably reads: the texts in the body that look like header
 * names.
 */
export function variablesIn({ headers }: CatalogFunction, prefix: string): readonly VariableName[] {
  const named = headers.filter((header) => looksLikeVariable(header, prefix));
  return named.flatMap((header) => variableName(header, prefix) ?? []);
}
