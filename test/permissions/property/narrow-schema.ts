import type { Schema, Table } from './vocabulary.ts';

/** Returns the part of a schema that a rule uses, to make the report of a failure short. */
export function narrowSchema(schema: Schema, table: string, ruleText: string): Schema {
  const words = new Set(ruleText.match(/\w+/g));
  const reached = new Set([table]);
  // Repeated for each table, because a relationship may continue from a table that another relationship leads to.
  for (const _ of schema) {
    for (const { name, relationships } of schema) {
      if (words.has(name) && ruleText.includes(`_table: ${name}`)) reached.add(name);
      if (!reached.has(name)) continue;
      for (const one of relationships) if (words.has(one.name)) reached.add(one.table);
    }
  }
  const remaining = schema.filter(({ name }) => reached.has(name));
  const paths = remaining.flatMap(({ name, relationships }) =>
    relationships.filter((one) => words.has(one.name)).map((one) => ({ ...one, from: name })),
  );
  const isUsed = (owner: string, column: string) =>
    ['id', 'num'].includes(column) ||
    words.has(column) ||
    paths.some(
      ({ from, table: to, pairs }) =>
        (from === owner && pairs.some(({ local }) => local === column)) ||
        (to === owner && pairs.some(({ remote }) => remote === column)),
    );
  return remaining.map((one) => narrowTable(one, words, reached, isUsed));
}

function narrowTable(
  table: Table,
  words: ReadonlySet<string>,
  reached: ReadonlySet<string>,
  isUsed: (owner: string, column: string) => boolean,
): Table {
  const columns = table.columns.filter(({ name }) => isUsed(table.name, name));
  return {
    name: table.name,
    columns,
    keys: table.keys.filter(
      (key) =>
        reached.has(key.table) &&
        key.columns.every((name) => columns.some((one) => one.name === name)),
    ),
    relationships: table.relationships.filter(({ name }) => words.has(name)),
  };
}
