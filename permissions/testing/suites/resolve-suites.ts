import { Report } from '../../diagnostics.ts';
import { MetadataError } from '../../errors.ts';
import { formatArray } from '../../expressions/literals.ts';
import type { RawTestsFile } from '../../metadata/schemas/tests.ts';
import type { MapEntry } from '../../metadata/shape/shape.ts';
import type { RawNode } from '../../metadata/yaml/node.ts';
import { quote } from '../../text/characters.ts';
import { variableName } from '../../text/names.ts';
import { didYouMean } from '../../text/nearest.ts';
import type { Model } from '../../types/model.ts';
import { type RawSuite, readSuites } from './read-suites.ts';
import { addRows } from './resolve-rows.ts';
import { resolveTest } from './resolve-test.ts';
import { type RowScope, referenceIn } from './resolve-values.ts';
import type { NamedRow, Principal, Suite, VariableValue } from './suite.ts';

/**
 * Reads and resolves the tests of a metadata folder.
 * @param only the name of the file whose tests are returned; default: all files
 * @throws MetadataError with every mistake
 */
export async function loadSuites(
  metadata: string,
  model: Model,
  only?: string,
): Promise<readonly Suite[]> {
  const report = new Report();
  const raws = await readSuites(metadata, report);
  const byName = new Map(raws.map((raw) => [raw.name, raw]));
  const chosen = raws.filter(({ name }) => only === undefined || name === only);
  if (only !== undefined && chosen.length === 0) {
    const message = `there is no file ${quote(`${only}.yaml`)} among the tests`;
    report.error('RG_TEST', undefined, message, didYouMean(only, byName.keys()));
  }
  const suites = chosen.map((raw) => resolveSuite(raw, byName, model, report));
  if (report.hasErrors) throw new MetadataError(unique(report.diagnostics));
  return suites;
}

/** A file that several files use is resolved for each of them, so its mistakes are found several times. */
function unique(diagnostics: Report['diagnostics']): Report['diagnostics'] {
  return [...new Map(diagnostics.map((one) => [JSON.stringify(one), one])).values()];
}

function resolveSuite(
  raw: RawSuite,
  byName: ReadonlyMap<string, RawSuite>,
  model: Model,
  report: Report,
): Suite {
  const rows = new Map<string, NamedRow>();
  const principals = new Map<string, Principal>();
  const used = usedBy(raw, byName, report);
  for (const { content } of [...used, raw]) {
    addRows(content, rows, model, report);
    addPrincipals(content, principals, { rows, report }, model);
  }
  const { content, file } = raw;
  const scope = { rows, report, principals, model, table: content.table };
  return {
    file,
    now: content.now?.name,
    triggers: [...used, raw].every((one) => one.content.triggers),
    rows: [...rows.values()],
    tests: content.tests.flatMap((test) => resolveTest(test, scope)),
  };
}

/** Returns the files that a file uses, each after the files that it uses itself. */
function usedBy(
  raw: RawSuite,
  byName: ReadonlyMap<string, RawSuite>,
  report: Report,
  found = new Set<RawSuite>([raw]),
): readonly RawSuite[] {
  return raw.content.uses.flatMap(({ name, position }) => {
    const other = byName.get(name);
    if (!other) {
      const message = `there is no file ${quote(`${name}.yaml`)} among the tests`;
      report.error('RG_TEST', position, message, didYouMean(name, byName.keys()));
    }
    if (!other || found.has(other)) return [];
    found.add(other);
    return [...usedBy(other, byName, report, found), other];
  });
}

function addPrincipals(
  { principals: raws }: Pick<RawTestsFile, 'principals'>,
  principals: Map<string, Principal>,
  scope: RowScope,
  model: Model,
): void {
  for (const { key, value } of raws) {
    const { report } = scope;
    if (principals.has(key.name)) {
      const message = `another principal is called ${quote(key.name)}`;
      report.error('RG_TEST', key.position, message, 'give one of them another name');
    }
    const role = model.roles.get(value.role.name);
    if (!role) {
      const message = `roles.yaml does not declare the role ${quote(value.role.name)}`;
      const near = didYouMean(value.role.name, model.roles.keys());
      report.error('RG_UNKNOWN_ROLE', value.role.position, message, near);
      continue;
    }
    const variables = value.variables.flatMap((one) => variableOf(one, scope, model));
    principals.set(key.name, { name: key.name, role, variables: new Map(variables) });
  }
}

function variableOf(
  { key, value }: MapEntry<RawNode>,
  scope: RowScope,
  model: Model,
): readonly (readonly [string, VariableValue | readonly VariableValue[]])[] {
  const { headerPrefix, variables } = model;
  const isHeader = key.name.toLowerCase().startsWith(headerPrefix.toLowerCase());
  const name = isHeader ? variableName(key.name, headerPrefix) : undefined;
  if (name === undefined || !variables.includes(name)) {
    const message = `no rule reads the session variable ${quote(key.name)}`;
    const known = variables.map((one) => headerPrefix + headerCase(one));
    scope.report.error('RG_TEST', key.position, message, didYouMean(key.name, known));
    return [];
  }
  const found =
    value.kind === 'list'
      ? value.items.flatMap((item) => variableValue(item, scope) ?? [])
      : variableValue(value, scope);
  return found ? [[name, found]] : [];
}

function headerCase(variable: string): string {
  return variable
    .split('_')
    .map((part) => part.charAt(0).toUpperCase() + part.slice(1))
    .join('-');
}

function variableValue(node: RawNode, scope: RowScope): VariableValue | undefined {
  const { position } = node;
  if (node.kind !== 'scalar' || node.value === null) {
    scope.report.error('RG_TEST', position, 'a session variable must be a text or a list of texts');
    return undefined;
  }
  const named = referenceIn(node.value, position, scope);
  if (named !== undefined) return named === 'unknown' ? undefined : named;
  const text = typeof node.value === 'string' ? node.value.replace(/^\$\$/, '$') : node.source;
  return { kind: 'text', text };
}

/** Returns the text of a session variable. A list becomes an array. */
export function variableText(
  value: VariableValue | readonly VariableValue[],
  textOf: (one: VariableValue) => string,
): string {
  return 'kind' in value ? textOf(value) : formatArray(value.map(textOf));
}
