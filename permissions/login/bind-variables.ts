import { fitsType } from '../expressions/literals.ts';
import { headerOf, looksLikeVariable, variableName } from '../text/names.ts';
import { didYouMean } from '../text/nearest.ts';
import type { RoleModel } from '../types/model.ts';
import type { VariableName, VariableUse } from '../types/names.ts';

/** Session variables that were given for a login, checked against the variables that the rules of its role read. */
export interface BoundVariables {
  readonly values: ReadonlyMap<VariableName, string>;
  /** One sentence for each mistake. When there is any, the caller must not use the values. */
  readonly problems: readonly string[];
  /** Variables that some rules of the role read but that were not given. These rules show the login no rows. */
  readonly absent: readonly VariableName[];
}

export interface BindScope {
  readonly headerPrefix: string;
  /** Whether variables may be given that no rule of the role reads, because functions receive all of them. */
  readonly takesSession: boolean;
}

/** Reads session variables for a login of a role, given as texts like `X-Gql-Organization-Id=…`. */
export function bindVariables(
  texts: readonly string[],
  role: RoleModel,
  scope: BindScope,
): BoundVariables {
  const { headerPrefix } = scope;
  const uses = usesOf(role);
  const known = new Set([...role.requires, ...uses.map((use) => use.variable)]);
  const values = new Map<VariableName, string>();
  const problems = texts.flatMap((text) => {
    const problem = bind(text, { ...scope, role, uses, known, values });
    return problem === undefined ? [] : [problem];
  });
  const missing = role.requires.filter((name) => !values.has(name));
  return {
    values,
    problems: [
      ...problems,
      ...missing.map((name) => `role ${role.name} requires ${headerOf(name, headerPrefix)}`),
    ],
    absent: [...known].filter((name) => !values.has(name)).sort(),
  };
}

/**
 * Returns the session variables that the rules of a role read. A variable that is read as several types occurs once for
 * each type.
 */
export function usesOf(role: RoleModel): readonly VariableUse[] {
  return [...role.tables.values()].flatMap((rules) =>
    [rules.select, rules.insert, rules.update, rules.delete].flatMap(
      (rule) => rule?.variables ?? [],
    ),
  );
}

interface Binding extends BindScope {
  readonly role: RoleModel;
  readonly uses: readonly VariableUse[];
  readonly known: ReadonlySet<VariableName>;
  readonly values: Map<VariableName, string>;
}

/** Adds one variable to `values`, or adds the reason for refusing the variable to `problems`. */
function bind(
  text: string,
  { role, uses, known, headerPrefix, takesSession, values }: Binding,
): string | undefined {
  const split = text.indexOf('=');
  const header = split < 0 ? text : text.slice(0, split);
  const value = split < 0 ? '' : text.slice(split + 1);
  const name = looksLikeVariable(header, headerPrefix)
    ? variableName(header, headerPrefix)
    : undefined;
  if (name === undefined) return `"${header}" is no variable; write ${headerPrefix}Some-Name=value`;
  if (!known.has(name) && !takesSession) return unknown(header, [...known], role, headerPrefix);
  if (values.has(name)) return `${header} is given twice`;
  if (value === '') return `${header} has no value, which counts as missing`;
  values.set(name, value);
  const unfit = uses.find((use) => use.variable === name && !fitsType(value, use.type));
  return (
    unfit &&
    `${header} is "${value}", which is no ${unfit.type.name}, as a rule of role ${role.name} reads it`
  );
}

function unknown(
  header: string,
  known: readonly VariableName[],
  role: RoleModel,
  headerPrefix: string,
): string {
  const names = known.map((name) => headerOf(name, headerPrefix)).sort();
  const reads = names.length === 0 ? 'none' : names.join(', ');
  const near = didYouMean(header, names);
  return `no rule of role ${role.name} reads ${header}; ${near ?? `it reads ${reads}`}`;
}
