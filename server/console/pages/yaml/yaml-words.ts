import type { Matrix } from '../api/answers.ts';
import type { RuleFile } from '../api/change-answers.ts';
import type { YamlPlace } from './yaml-path.ts';

/** A word that may stand at a place, and what it is. */
export interface Word {
  readonly label: string;
  readonly detail?: string;
  readonly info?: string;
}

/** What an editor knows about a file. */
export interface WordScope {
  readonly file: Pick<RuleFile, 'schema' | 'words'>;
  readonly matrix: Matrix;
  /** The table of the file, if it has one. */
  readonly table: string | undefined;
}

/** A part of a JSON schema. */
interface Schema {
  readonly type?: string;
  readonly title?: string;
  readonly description?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly patternProperties?: Readonly<Record<string, Schema>>;
  readonly additionalProperties?: Schema | boolean;
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
}

const combining = ['_and', '_or', '_not', '_exists', '_filter'];

/** Returns the words that may stand at a place. */
export function wordsAt({ path, isKey }: YamlPlace, scope: WordScope): readonly Word[] {
  return (
    conditionWords(path, isKey, scope) ?? [
      ...namesAt(path, isKey, scope),
      ...schemasAt(path, scope.file.schema).flatMap(isKey ? keysOf : valuesOf),
    ]
  );
}

/** Returns the names of roles and columns that the project has. */
function namesAt(path: readonly string[], isKey: boolean, scope: WordScope): readonly Word[] {
  const { matrix, table } = scope;
  const last = path.at(-1) ?? '';
  const columns = columnsOf(table, matrix);
  const isRole = isKey ? path.length === 1 && last === 'permissions' : last === 'inherits';
  if (isRole) return matrix.roles.map(({ name }) => ({ label: name, detail: 'role' }));
  if (last === 'columns' && path[0] === 'permissions') return [...columns, { label: "'*'" }];
  if (path.at(isKey ? -1 : -2) !== 'set') return [];
  return isKey ? columns : variablesOf(scope);
}

function columnsOf(table: string | undefined, { tables }: Matrix): readonly Word[] {
  const found = tables.find(({ key }) => key === table);
  return found?.columns.map((label) => ({ label, detail: 'column' })) ?? [];
}

function variablesOf({ file: { words } }: WordScope): readonly Word[] {
  return words.variables.map((label) => ({ label, detail: 'session variable' }));
}

/** Returns the words of a condition; undefined outside of conditions. */
function conditionWords(
  path: readonly string[],
  isKey: boolean,
  scope: WordScope,
): readonly Word[] | undefined {
  const start = path.findIndex((key) => key === 'filter' || key === 'check');
  if (start < 0 || path[0] !== 'permissions') return undefined;
  const { relationships, operators } = scope.file.words;
  let table: string | undefined = scope.table;
  let isColumn = false;
  for (const key of path.slice(start + 1)) {
    const next: string | undefined = relationships[table ?? '']?.[key];
    isColumn = next === undefined && !combining.includes(key) && !operators.includes(key);
    table = next ?? table;
  }
  if (!isKey) return isColumn ? [] : variablesOf(scope);
  if (isColumn) return operators.map((label) => ({ label, detail: 'operator' }));
  const others = Object.entries(relationships[table ?? ''] ?? {});
  return [
    ...columnsOf(table, scope.matrix),
    ...others.map(([label, to]) => ({ label, detail: `to ${to}` })),
    ...combining.map((label) => ({ label })),
  ];
}

/** Returns the schemas that a value at a path may have. */
function schemasAt(path: readonly string[], schema: Schema): readonly Schema[] {
  return path.reduce<readonly Schema[]>(
    (found, key) => found.flatMap(alternatives).flatMap((one) => below(one, key)),
    [schema],
  );
}

function alternatives(schema: Schema): readonly Schema[] {
  const others = [...(schema.anyOf ?? []), ...(schema.oneOf ?? [])].flatMap(alternatives);
  const own = schema.items ? alternatives(schema.items) : [];
  return [schema, ...others, ...own];
}

function below({ properties, patternProperties, additionalProperties }: Schema, key: string) {
  const named = properties?.[key];
  if (named) return [named];
  const other = typeof additionalProperties === 'object' ? [additionalProperties] : [];
  return [...Object.values(patternProperties ?? {}), ...other];
}

function keysOf(schema: Schema): readonly Word[] {
  return alternatives(schema).flatMap(({ properties = {} }) =>
    Object.entries(properties).map(([label, { title, description }]) => ({
      label,
      ...(title !== undefined && { detail: title }),
      ...(description !== undefined && { info: description }),
    })),
  );
}

function valuesOf(schema: Schema): readonly Word[] {
  return alternatives(schema).flatMap((one) => {
    if (one.type === 'boolean') return [{ label: 'true' }, { label: 'false' }];
    const values = one.const === undefined ? (one.enum ?? []) : [one.const];
    return values.map((value) => ({ label: String(value) }));
  });
}
