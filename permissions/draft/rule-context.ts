import type { Diagnostic, Position } from '../diagnostics.ts';
import type { RuleQuestion } from '../explain/rule/explain-rule.ts';
import { tablesIn } from '../expressions/dependencies.ts';
import { titledHeader } from '../expressions/session-variables.ts';
import { namedTypeOf } from '../model/actions/parse-type.ts';
import { inheritedFrom } from '../model/rules/inherited-from.ts';
import { operationsOf } from '../testing/coverage/coverage.ts';
import type { Suite } from '../testing/suites/suite.ts';
import type { BoolExp } from '../types/expressions.ts';
import type { Model, RoleModel } from '../types/model.ts';
import type { TableKey } from '../types/names.ts';
import { type Operation, operations } from '../types/rules.ts';
import type { ResolvedFolder } from './resolve-folder.ts';

/** A test that concerns a rule. */
export interface RuleTest {
  readonly title: string;
  readonly kind: string;
  /** The name of the principal as which it runs. */
  readonly as: string;
  readonly position: Position;
}

/** A part of the metadata that depends on a rule, or reads its table. */
export interface Dependent {
  /** `rule`: the part changes with the rule. `table`: the part reads the table, and the rule does not limit that. */
  readonly on: 'rule' | 'table';
  readonly words: string;
  /** The rule that depends, if it is one. */
  readonly rule?: { readonly role: string; readonly table: string; readonly operation: Operation };
}

/** What stands around a rule in the metadata. */
export interface RuleContext {
  /** The place of the rule, or of its table if there is no rule. */
  readonly position: Position;
  /** A GraphQL query that reads all rows of a select rule. Its plan shows the cost of the rule. */
  readonly query: string | undefined;
  /** The headers of the session variables that the rule reads. */
  readonly variables: readonly string[];
  /** Findings in the file of the rule, those at the rule first. */
  readonly findings: readonly Diagnostic[];
  readonly tests: readonly RuleTest[];
  readonly dependents: readonly Dependent[];
}

type Resolved = Extract<ResolvedFolder, { kind: 'resolved' }>;

/** Returns the findings, tests and dependents of a rule. */
export function contextOfRule(
  question: RuleQuestion,
  { loaded: { model }, findings }: Resolved,
  suites: readonly Suite[],
): RuleContext {
  const { role, table, operation } = question;
  const rule = role.tables.get(table.key)?.[operation];
  const place = rule?.position ?? table.position;
  const isAtRule = ({ position }: Diagnostic) => position?.line === place.line;
  const inFile = findings.filter(({ position }) => position?.file === place.file);
  const headers = rule?.variables.map(({ variable }) => titledHeader(variable, model.headerPrefix));
  return {
    ...{ position: place, query: queryOf(question), variables: [...new Set(headers)] },
    findings: [...inFile.filter(isAtRule), ...inFile.filter((one) => !isAtRule(one))],
    tests: testsOf(question, suites),
    dependents: [...dependentsOnRule(question, model), ...readersOfTable(question, model)],
  };
}

function queryOf({ role, table, operation }: RuleQuestion): string | undefined {
  const columns = role.tables.get(table.key)?.select?.columns ?? [];
  if (operation !== 'select' || columns.length === 0) return undefined;
  const names = columns.map((column) => table.columns.get(column)?.graphqlName ?? column);
  return `{ ${table.rootFields.select} { ${names.join(' ')} } }`;
}

function testsOf({ role, table, operation }: RuleQuestion, suites: readonly Suite[]) {
  return suites.flatMap(({ tests }) =>
    tests
      .filter(
        (test) =>
          test.table.key === table.key &&
          test.principal.role.name === role.name &&
          (test.kind === 'may' || operationsOf(test).includes(operation)),
      )
      .map(({ title, kind, principal, position }) => ({
        ...{ title, kind, as: principal.name, position },
      })),
  );
}

function dependentsOnRule(question: RuleQuestion, model: Model): readonly Dependent[] {
  const { role, table, operation } = question;
  const heirs = inheriting(role.name, table.key, operation, model).map((name): Dependent => {
    const rule = { role: name, table: table.key, operation };
    return { on: 'rule', words: `${name} inherits the rule`, rule };
  });
  return operation === 'select'
    ? [
        ...heirs,
        ...pathsTo(table.key, role),
        ...referencesTo(table.key, role),
        ...actionsTo(question, model),
      ]
    : heirs;
}

/** Returns the roles that have the rule from a role, directly or through other roles. */
function inheriting(
  name: string,
  key: TableKey,
  operation: Operation,
  model: Model,
): readonly string[] {
  const found = new Set([name]);
  for (const parent of found) {
    for (const role of model.roles.values()) {
      const parents = inheritedFrom(role, key, operation, model);
      if (parents.some((one) => one.name === parent)) found.add(role.name);
    }
  }
  return [...found].filter((one) => one !== name);
}

/** The relationships that the role can follow to the rows. */
function pathsTo(key: TableKey, role: RoleModel): readonly Dependent[] {
  return [...role.tables].flatMap(([from, { relationships }]) =>
    [...relationships.values()]
      .filter((one) => one.table === key)
      .map(({ name }): Dependent => {
        const rule = { role: role.name, table: from, operation: 'select' } as const;
        return { on: 'rule', words: `${role.name} follows ${from}.${name} to these rows`, rule };
      }),
  );
}

/** The written keys that must refer to a row that the role sees. */
function referencesTo(key: TableKey, role: RoleModel): readonly Dependent[] {
  return [...role.tables].flatMap(([from, rules]) =>
    (['insert', 'update'] as const).flatMap((operation) => {
      const refers = rules[operation]?.references.some((one) => one.relationship.table === key);
      const rule = { role: role.name, table: from, operation };
      const words = `${role.name} may ${operation} in ${from} only keys of rows that it sees here`;
      return refers ? [{ on: 'rule', words, rule } as const] : [];
    }),
  );
}

/** The actions whose answers lead to the rows. */
function actionsTo({ role, table }: RuleQuestion, model: Model): readonly Dependent[] {
  const types = [...model.customTypes.values()].flatMap((type) =>
    type.kind === 'object' && type.relationships.some((one) => one.table === table.key)
      ? [type.name]
      : [],
  );
  return [...model.actions.values()].flatMap(({ name, roles, outputType }) => {
    const isLeading = roles.has(role.name) && types.includes(namedTypeOf(outputType));
    const words = `the answer of the action ${name} leads to these rows`;
    return isLeading ? [{ on: 'rule', words } as const] : [];
  });
}

/** Returns the rules whose conditions read the table. Conditions read all rows, whatever the rules on them. */
function readersOfTable({ table }: RuleQuestion, model: Model): readonly Dependent[] {
  return [...model.roles.values()].flatMap((role) =>
    [...role.tables].flatMap(([from, rules]) =>
      operations.flatMap((operation) => {
        const conditions = conditionsOf(rules[operation]);
        if (!conditions.some((one) => tablesIn(one).has(table.key))) return [];
        if (role.inherits.length > 0 && inheritedFrom(role, from, operation, model).length > 0)
          return [];
        const rule = { role: role.name, table: from, operation };
        const words = `the ${operation} rule of ${role.name} on ${from} reads this table`;
        return [{ on: 'table', words, rule } as const];
      }),
    ),
  );
}

function conditionsOf(
  rule: { readonly filter?: BoolExp; readonly check?: BoolExp | undefined } | undefined,
): readonly BoolExp[] {
  return [rule?.filter, rule?.check].filter((one) => one !== undefined);
}
