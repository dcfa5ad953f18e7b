import { CST } from 'yaml';
import type { TextFinding } from './scan-text.ts';

/** Maximum nesting of maps and lists in a metadata file. Deeper files could overflow the stack of recursive readers. */
export const maxNesting = 64;

/** A token that has children. `depth` counts the collections around the children. */
interface Parent {
  readonly token: CST.Document | CST.BlockMap | CST.BlockSequence | CST.FlowCollection;
  readonly depth: number;
}

/**
 * Finds YAML features that Rowgate refuses: anchors, aliases, merge keys, tags, directives and several documents. It
 * does not recurse, so deep nesting cannot overflow the stack.
 */
export function inspectTokens(tokens: readonly CST.Token[]): readonly TextFinding[] {
  const findings: TextFinding[] = [];
  const documents = tokens.filter((token) => token.type === 'document');
  const second = documents[1];
  if (second)
    findings.push(feature(second.offset, 'several documents in one file', 'use one file a table'));
  const open: Parent[] = [];
  const inspect = (token: CST.Token | null | undefined, depth: number, isKey: boolean) => {
    if (!token) return;
    const isCollection = CST.isCollection(token);
    const inner = isCollection ? depth + 1 : depth;
    const finding = findingOf(token, inner, isKey);
    if (finding) findings.push(finding);
    if (finding?.code === 'RG_TOO_DEEP') return;
    if (isCollection || token.type === 'document') open.push({ token, depth: inner });
  };
  for (const token of tokens) inspect(token, 0, false);
  for (let parent = open.pop(); parent; parent = open.pop()) inspectChildren(parent, inspect);
  return findings;
}

function findingOf(token: CST.Token, depth: number, isKey: boolean): TextFinding | undefined {
  switch (token.type) {
    case 'anchor':
      return feature(
        token.offset,
        'anchors',
        'write the value out, or name the filter in filters.yaml',
      );
    case 'alias':
      return token.source === '*'
        ? unquotedAsterisk(token.offset)
        : feature(token.offset, 'aliases', 'write the value out, or use { _filter: name }');
    case 'tag':
      return feature(token.offset, 'tags', 'quote the value where it must be text');
    case 'directive':
      return feature(token.offset, 'directives', 'remove the line');
    case 'scalar':
      return isKey && token.source === '<<'
        ? feature(token.offset, 'merge keys', 'write the keys out')
        : undefined;
    default:
      return depth > maxNesting ? tooDeep(token.offset) : undefined;
  }
}

function feature(offset: number, what: string, hint: string): TextFinding {
  return { code: 'RG_YAML_FEATURE', offset, message: `${what} are not accepted`, hint };
}

function unquotedAsterisk(offset: number): TextFinding {
  const message = 'an asterisk without quotes is an alias in YAML';
  return { code: 'RG_YAML_FEATURE', offset, message, hint: "write '*' in quotes" };
}

function tooDeep(offset: number): TextFinding {
  const message = `maps and lists are nested deeper than ${maxNesting} levels`;
  return { code: 'RG_TOO_DEEP', offset, message };
}

function inspectChildren(
  { token, depth }: Parent,
  inspect: (token: CST.Token | null | undefined, depth: number, isKey: boolean) => void,
): void {
  if (token.type === 'document') {
    for (const child of token.start) inspect(child, depth, false);
    inspect(token.value, depth, false);
    return;
  }
  for (const item of token.items) {
    for (const child of item.start) inspect(child, depth, false);
    inspect(item.key, depth, true);
    if (item.sep) for (const child of item.sep) inspect(child, depth, false);
    inspect(item.value, depth, false);
  }
}
