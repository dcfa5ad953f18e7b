/** Maximum length of a file name without its extension, in characters. */
const longest = 100;

/**
 * Returns a file name for each table, in the given order. The schema comes first unless it is public. Underscores
 * replace characters that file systems or shells do not handle well. Names that differ only in case get numbers,
 * because some file systems treat them as equal.
 */
export function fileNames(
  tables: readonly { readonly schema: string; readonly name: string }[],
): readonly string[] {
  const taken = new Set<string>();
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
