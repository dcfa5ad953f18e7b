import { stringify } from 'yaml';
import { variablesOf } from './expect-outcome.ts';
import { narrowSchema } from './narrow-schema.ts';
import type { Shrunk } from './shrink.ts';
import { type Case, named, type Schema } from './vocabulary.ts';
import { writeMetadataFiles } from './write-rules.ts';
import { insertSql, schemaSql, textOfValue } from './write-sql.ts';

/** Returns the text with which a reader can reproduce a failure by hand. It omits tables and columns without effect. */
export function reportText(whole: Schema, seed: number, shrunk: Shrunk): string {
  const { difference, path, steps } = shrunk;
  const one = difference.case;
  const roles = [{ role: 'alone', table: one.table, rules: [one.rule] }];
  const own = `tables/${one.table}.yaml`;
  const all = writeMetadataFiles(whole, roles);
  const rules = `${all[own]?.split('permissions:')[1]}${all['filters.yaml']}`;
  const schema = narrowSchema(whole, one.table, rules);
  const files = writeMetadataFiles(schema, roles);
  const used = variablesOf(one.rule).map((name) => [name, settingText(one, name)]);
  return [
    `a rule for ${one.rule.command} on ${one.table} does not do what the documentation says`,
    `expected: ${difference.expected.join(', ') || 'nothing'}`,
    `actual:   ${difference.actual.join(', ') || 'nothing'}`,
    ...Object.entries(files).map(([name, content]) => `# ${name}\n${content}`),
    `# variables\n${stringify(Object.fromEntries(used))}`,
    schemaSql(schema),
    dataSql(schema, one),
    `seed ${seed}, path ${path}, after ${steps} steps of shrinking; to repeat it:`,
    `npm run test:property -- --seed ${seed}`,
  ].join('\n');
}

function settingText({ variables }: Case, name: string): string | null {
  const value = variables[name];
  return value === undefined ? null : textOfValue(value);
}

function dataSql(schema: Schema, one: Case): string {
  const filled = schema.flatMap((table) =>
    (one.rows[table.name] ?? []).map((row) => `${insertSql(table, row)};`),
  );
  const table = named(schema, one.table);
  const candidates = one.candidates.map((row) => `-- candidate: ${insertSql(table, row)};`);
  const writes = ['insert', 'update'].includes(one.rule.command);
  return [...filled, ...(writes ? candidates : [])].join('\n');
}
