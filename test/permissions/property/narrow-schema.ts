import type { Schema, Table } from './vocabulary.ts';

/** What of a schema a rule has to do with: to show it, not to run it. */
export function narrowSchema(schema: Schema, table: string, ruleText: string): Schema {
  const words = new Set(ruleText.match(/\w+/g));
  const reached = new Set([table]);
  // A way may lead on from a table that another way has led to.
  for (const _ of schema) {
    for (const { name, relationships } of schema) {
      if (words.has(name) && ruleText.includes(`_table: ${name}`)) reached.add(name);
      if (!reached.has(name)) continue;
      for (const way of relationships) if (words.has(way.name)) reached.add(way.table);
    }
  }
  const kept = schema.filter(({ name }) => reached.has(name));
  const ways = kept.flatMap(({ name, relationships }) =>
    relationships.filter((way) => words.has(way.name)).map((way) => ({ ...way, from: name })),
  );
  const isUsed = (owner: string, column: string) =>
    ['id', 'num'].includes(column) ||
    words.has(column) ||
    ways.some(
      ({ from, table: to, pairs }) =>
        (from === owner && pairs.some(({ local }) => local === column)) ||
        (to === owner && pairs.some(({ remote }) => remote === column)),
    );
  return kept.map((one) => narrowTable(one, words, reached, isUsed));
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
