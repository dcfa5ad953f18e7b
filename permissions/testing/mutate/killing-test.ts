import type { Witness, WitnessRow } from '../../diff/rows/row-comparison.ts';
import { meaningOf } from '../../expressions/combine.ts';
import { shortTable } from '../../expressions/describe.ts';
import { titledHeader } from '../../expressions/session-variables.ts';
import type { VariableName } from '../../types/names.ts';
import type { TableModel } from '../../types/tables.ts';
import { yamlText } from '../yaml-text.ts';
import type { Mutant } from './make-mutants.ts';
import type { MutantResult } from './run-mutants.ts';

type Survivor = Extract<MutantResult, { kind: 'survived' }>;

/** Returns the lines of a test that fails with a mutant and passes without it, as YAML for a file of tests. */
export function killingTest({ mutant, comparison }: Survivor): readonly string[] {
  switch (mutant.mutator) {
    case 'column added':
    case 'operation added':
      return rightsTest(mutant);
    case 'preset removed':
      return presetTest(mutant);
    default:
      return rowTest(
        mutant,
        comparison?.gained ?? comparison?.lost,
        comparison?.gained !== undefined,
      );
  }
}

/** The test lists everything that the role may do, so it also notices other columns and operations. */
function rightsTest({ role, table, headerPrefix }: Mutant): readonly string[] {
  const rules = role.tables.get(table.key);
  const columns = (['select', 'insert', 'update'] as const).flatMap((operation) => {
    const rule = rules?.[operation];
    return rule ? [`${operation}: [${rule.columns.join(', ')}]`] : [];
  });
  const all = [...columns, ...(rules?.delete ? ['delete: true'] : [])];
  return [
    ...principalLines(role.name, {}, headerPrefix),
    'tests:',
    `  - test: ${role.name} may do nothing else with rows of ${table.name}`,
    ...tableLine(table),
    '    may:',
    `      ${role.name}: { ${all.join(', ')} }`,
  ];
}

function presetTest({ role, table, operation, column }: Mutant): readonly string[] {
  const rule =
    operation === 'insert'
      ? role.tables.get(table.key)?.insert
      : role.tables.get(table.key)?.update;
  const value = rule?.presets.find((one) => one.column === column)?.value;
  const expected = value?.kind === 'literal' ? yamlText(value.text) : `"…"`;
  const write =
    operation === 'insert' ? ['    insert: { … }'] : ['    update: …', '    set: { … }'];
  return [
    'tests:',
    `  - test: the ${operation} of ${role.name} sets ${column}`,
    ...tableLine(table),
    `    as: ${role.name}`,
    ...write,
    `    written: { ${column}: ${expected} }`,
  ];
}

function tableLine({ schema, name }: TableModel): readonly string[] {
  return [`    table: ${schema === 'public' ? name : `${schema}.${name}`}`];
}

function principalLines(
  role: string,
  variables: Readonly<Record<string, string>>,
  headerPrefix: string,
): readonly string[] {
  const given = Object.entries(variables).map(
    ([name, value]) => `${titledHeader(name as VariableName, headerPrefix)}: ${yamlText(value)}`,
  );
  const all = given.length === 0 ? '' : `, variables: { ${given.join(', ')} }`;
  return ['principals:', `  ${role}: { role: ${role}${all} }`];
}

/**
 * Returns a test with the row of a witness. The witness leaves out columns that the rule does not read, so a table may
 * demand more of them.
 */
function rowTest(
  mutant: Mutant,
  witness: Witness | undefined,
  isGained: boolean,
): readonly string[] {
  const { role, table, operation } = mutant;
  if (!witness) return unknownRow(mutant);
  const isCheck = mutant.mutator === 'check removed' || operation === 'insert';
  const related = witness.related.map((one, index) =>
    fixtureLines(one.table, `related_${index + 1}`, one.row),
  );
  const title = witness.counts.map(({ words }) => words).join(' and ') || 'every row';
  const verb = operation === 'insert' ? 'insert' : operation;
  const head = [
    ...principalLines(role.name, witness.variables, mutant.headerPrefix),
    ...(witness.now === undefined || !readsTime(mutant) ? [] : [`now: ${yamlText(witness.now)}`]),
  ];
  const fixtures = isCheck ? related : [...related, fixtureLines(table.key, 'row', witness.row)];
  const test = [
    `  - test: ${yamlText(`${role.name} ${isGained ? 'may not' : 'may'} ${verb} rows where ${title}`)}`,
    ...tableLine(table),
  ];
  const allowed = isGained ? '' : operation;
  const expectation = isCheck
    ? [
        `    as: ${role.name}`,
        `    insert: ${flowRow(witness.row)}`,
        ...(isGained ? ['    refused: check'] : []),
      ]
    : ['    matrix:', `      ${role.name}: { row: [${allowed}] }`];
  return [
    ...head,
    ...(fixtures.length > 0 ? ['fixtures:', ...fixtures.flat()] : []),
    'tests:',
    ...test,
    ...expectation,
  ];
}

/** A pinned time is refused where no rule reads the time. */
function readsTime({ rows }: Mutant): boolean {
  return meaningOf(rows).includes('"kind":"now"');
}

function unknownRow({ role, table, operation }: Mutant): readonly string[] {
  return [
    'tests:',
    `  - test: ${role.name} may not ${operation} a row that the rule excludes`,
    ...tableLine(table),
    ...(operation === 'insert'
      ? [`    as: ${role.name}`, '    insert: { … }', '    refused: check']
      : ['    matrix:', `      ${role.name}: { … }`]),
  ];
}

function fixtureLines(table: string, name: string, row: WitnessRow): readonly string[] {
  return [`  ${shortTable(table)}:`, `    ${name}: ${flowRow(row)}`];
}

function flowRow(row: WitnessRow): string {
  const cells = Object.entries(row).map(
    ([column, value]) => `${column}: ${value === null ? 'null' : yamlText(value)}`,
  );
  return `{ ${cells.join(', ')} }`;
}
