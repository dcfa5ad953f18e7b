/** Longest file name without its ending, in characters. */
const longest = 100;

/**
 * A file name for each table, in the order given: its name, after its schema where that is not public. Characters
 * that file systems or shells stumble over become underscores; names that would be the same, in any case, get numbers.
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
