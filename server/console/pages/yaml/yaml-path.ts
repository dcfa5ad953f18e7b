/** The place of the cursor in a YAML text: the keys that lead to it, and whether a key or a value is expected. */
export interface YamlPlace {
  readonly path: readonly string[];
  readonly isKey: boolean;
  /** The offset at which the word before the cursor begins. */
  readonly from: number;
}

/** An open bracket with the key before it. */
interface Open {
  readonly at: number;
  readonly isMap: boolean;
}

const word = /[\w.*$-]*$/;
const keyBefore = /(?:^|[\s{,[-])("?)([\w.$-]+)\1:\s*$/;
const blockKey = /^(\s*(?:- +)*)("?)([\w.$-]+)\2:(?:\s|$)/;

/**
 * Returns the place at the end of a text. The text is incomplete while it is written, so this reads indentation and
 * brackets instead of a syntax tree.
 */
export function yamlPlace(before: string): YamlPlace {
  const from = before.length - (word.exec(before)?.[0].length ?? 0);
  const opened = openBrackets(before);
  const inner = opened.at(-1);
  const flow = opened.flatMap(({ at }) => keyBefore.exec(before.slice(0, at))?.[2] ?? []);
  const outer = opened[0]?.at ?? before.length;
  const line = before.slice(before.lastIndexOf('\n', outer - 1) + 1, outer);
  const block = blockPath(before.slice(0, outer), line);
  if (!inner) {
    const own = blockKey.exec(line);
    return own
      ? { path: [...block, own[3] ?? ''], isKey: false, from }
      : { path: block, isKey: true, from };
  }
  // The key of the line stands before the first bracket, so it is a part of the path already.
  const path = [...block, ...flow];
  const part = before.slice(partStart(before, inner) + 1, from);
  const own = /^\s*("?)([\w.$-]+)\1:\s*$/.exec(part);
  if (own) return { path: [...path, own[2] ?? ''], isKey: false, from };
  return { path, isKey: inner.isMap, from };
}

/** Returns the brackets that are open at the end of a text. Quotes and comments hide brackets. */
function openBrackets(text: string): readonly Open[] {
  const opened: Open[] = [];
  for (const { 0: found, index } of text.matchAll(
    /"(?:[^"\\\n]|\\.)*"|(?<!\w)'[^'\n]*'|(?<=^|\s)#.*|[{}[\]]/gm,
  )) {
    if (found === '{' || found === '[') opened.push({ at: index, isMap: found === '{' });
    else if (found === '}' || found === ']') opened.pop();
  }
  return opened;
}

/** Returns where the item of a flow collection begins that the text ends in. */
function partStart(text: string, { at }: Open): number {
  let depth = 0;
  for (let index = text.length - 1; index > at; index -= 1) {
    const character = text[index] ?? '';
    if ('}]'.includes(character)) depth += 1;
    else if ('{['.includes(character)) depth -= 1;
    else if (character === ',' && depth === 0) return index;
  }
  return at;
}

/** Returns the keys of the lines above that have less indentation, the outermost first. */
function blockPath(text: string, line: string): readonly string[] {
  let indent = indentOf(line);
  const path: string[] = [];
  for (const above of text.split('\n').slice(0, -1).reverse()) {
    if (/^\s*(#|$)/.test(above)) continue;
    const found = blockKey.exec(above);
    if (!found || indentOf(above) >= indent) continue;
    indent = indentOf(above);
    path.unshift(found[3] ?? '');
  }
  return path;
}

function indentOf(line: string): number {
  return line.search(/[^\s]|$/);
}
