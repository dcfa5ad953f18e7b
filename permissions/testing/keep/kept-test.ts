import type pg from 'pg';
import {
  type AccessExplanation,
  decidingConditions,
  holds,
} from '../../explain/access/explain-access.ts';
import { setPrincipal } from '../../explain/access/principal.ts';
import type { AccessQuestion } from '../../explain/access/question.ts';
import { shortTable } from '../../expressions/describe.ts';
import { isJsonType } from '../../expressions/literals.ts';
import { titledHeader } from '../../expressions/session-variables.ts';
import type { RowOperation } from '../../metadata/schemas/tests.ts';
import type { RequestScope } from '../../rights/act-as.ts';
import { readOnly } from '../../rights/savepoints.ts';
import type { Model } from '../../types/model.ts';
import type { TableModel } from '../../types/tables.ts';
import { yamlText } from '../yaml-text.ts';

/**
 * Returns a file of tests that keeps the answer to a question about a row of the database. For a select, the test has
 * all operations that reach the row. Undefined for an answer that no test can expect.
 */
export async function keptTest(
  client: pg.ClientBase,
  question: AccessQuestion,
  explanation: AccessExplanation,
  scope: RequestScope,
): Promise<string | undefined> {
  const lines =
    question.operation === 'select'
      ? rowLines(question, await reachingOperations(client, question, explanation, scope))
      : writeLines(question, explanation);
  return lines && [...headLines(question, scope.model), ...lines, ''].join('\n');
}

/**
 * Returns the operations that reach a row, of which `select` is known. Tests expect of updates and deletes that their
 * filter alone decides, whether or not the role sees the row.
 */
async function reachingOperations(
  client: pg.ClientBase,
  question: AccessQuestion,
  { allowed, conditions }: AccessExplanation,
  scope: RequestScope,
): Promise<readonly RowOperation[] | undefined> {
  const { principal, table } = question;
  const rules = principal.role.tables.get(table.key);
  if (rules?.select && conditions.length === 0) return undefined;
  await setPrincipal(client, principal, scope);
  const reaching: RowOperation[] = allowed ? ['select'] : [];
  for (const operation of ['update', 'delete'] as const) {
    if (!rules?.[operation]) continue;
    const about = { ...question, operation };
    const found = await readOnly(client, () =>
      decidingConditions(client, about, rules, scope.model),
    );
    if (!found) return undefined;
    const isReached = found.some(({ part, condition }) => part === 'filter' && holds(condition));
    if (isReached) reaching.push(operation);
  }
  return reaching;
}

function rowLines(
  { principal: { role }, table }: AccessQuestion,
  operations: readonly RowOperation[] | undefined,
): readonly string[] | undefined {
  if (!operations) return undefined;
  const what = operations.length === 0 ? 'may do nothing' : `may ${operations.join(' and ')}`;
  return [
    `  - test: ${yamlText(`${role.name} ${what} with this row of ${table.name}`)}`,
    `    matrix: { ${yamlText(role.name)}: { row: [${operations.join(', ')}] } }`,
  ];
}

function writeLines(
  { principal: { role }, table, operation, values }: AccessQuestion,
  { allowed, refused, conditions }: AccessExplanation,
): readonly string[] | undefined {
  const failed = conditions.filter(({ condition }) => !holds(condition));
  // A statement without conditions meets no select rule, so a test of such a refusal would fail.
  const isOnlyHidden = failed.length > 0 && failed.every(({ part }) => part === 'select filter');
  if (!allowed && (refused === undefined || isOnlyHidden)) return undefined;
  const given = flowMap([...values].map(([name, text]) => [name, valueText(table, name, text)]));
  const statement = {
    select: [],
    insert: [`    insert: ${given}`],
    update: ['    update: row', `    set: ${given}`],
    delete: ['    delete: row'],
  }[operation];
  const words = `${allowed ? 'may' : 'may not'} ${operation} this row of ${table.name}`;
  return [
    `  - test: ${yamlText(`${role.name} ${words}`)}`,
    `    as: ${yamlText(role.name)}`,
    ...statement,
    ...(allowed ? [] : [`    refused: ${refused}`]),
  ];
}

/** Returns the table, the principal, and the row that exists. */
function headLines(
  { principal: { role, variables }, table, key }: AccessQuestion,
  { headerPrefix, variables: known }: Model,
): readonly string[] {
  const given = [...variables]
    .filter(([name]) => known.includes(name))
    .map(([name, text]) => [titledHeader(name, headerPrefix), escaped(text)] as const);
  const name = yamlText(role.name);
  const caller = flowMap([
    ['role', name],
    ...(given.length > 0 ? [['variables', flowMap(given)] as const] : []),
  ]);
  const values = [...key].map(
    ([column, text]) => [column, valueText(table, column, text)] as const,
  );
  return [
    `table: ${yamlText(shortTable(table.key))}`,
    'principals:',
    `  ${name}: ${caller}`,
    ...(values.length > 0
      ? ['existing:', `  ${yamlText(shortTable(table.key))}:`, `    row: ${flowMap(values)}`]
      : []),
    'tests:',
  ];
}

function flowMap(entries: readonly (readonly [string, string])[]): string {
  if (entries.length === 0) return '{}';
  return `{ ${entries.map(([name, text]) => `${yamlText(name)}: ${text}`).join(', ')} }`;
}

function valueText({ columns }: TableModel, name: string, text: string | null): string {
  const type = columns.get(name)?.type;
  if (text === null) return 'null';
  return type && isJsonType(type) ? jsonText(text) : escaped(text);
}

/** Tests read the value of a JSON column as YAML, and YAML contains JSON. */
function jsonText(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text));
  } catch {
    return escaped(text);
  }
}

/** Texts that begin with `$` name a row, unless the sign is doubled. */
function escaped(text: string): string {
  return yamlText(text.startsWith('$') ? `$${text}` : text);
}
