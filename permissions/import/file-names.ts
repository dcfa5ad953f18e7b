/** Maximum length of a file name without its extension, in characters. */
const longest = 100;

/**
 * Returns a file name for each table, in the given order. The name of a table outside the schema public begins with the
 * schema. Underscores replace characters that file systems or shells do not handle well. Names that differ only in case
 * get numbers. `given` lists existing files, whose names are taken.
 */
export function fileNames(
  tables: readonly { readonly schema: string; readonly name: string }[],
  given: readonly string[] = [],
): readonly string[] {
  const taken = new Set(given.map((file) => file.replace(/\.ya?ml$/i, '').toLowerCase()));
  return tables.map(({ schema, name }) => {
    const label = schema === 'public' ? name : `${schema}.${name}`;
    const base = label
      .replace(/[^A-Za-z0-9_.-]/g, '_')
      .replace(/^[.-]/, '_')
      .slice(0, longest);
    let file = base;
    for (let number = 2; taken.has(file.toLowerCase()); number++) file = `${base}-${number}`;
    taken.add(file.toLowerCase());
    return `${file}.yaml`;
  });
}
