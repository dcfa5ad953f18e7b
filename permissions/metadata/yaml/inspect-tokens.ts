import { CST } from 'yaml';
import type { TextFinding } from './scan-text.ts';

/** Maximum nesting of maps and lists in a metadata file. Deeper files could overflow the stack of recursive readers. */
export const maxNesting = 64;

interface Place {
  readonly token: CST.Token;
  readonly depth: number;
  readonly isKey: boolean;
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
  const open: Place[] = [];
  for (const token of tokens) open.push({ token, depth: 0, isKey: false });
  for (let place = open.pop(); place; place = open.pop()) {
    const finding = findingOf(place);
    if (finding) findings.push(finding);
    if (finding?.code !== 'RG_TOO_DEEP') openChildren(place, open);
  }
  return findings;
}

function findingOf({ token, depth, isKey }: Place): TextFinding | undefined {
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

function openChildren({ token, depth }: Place, open: Place[]): void {
  const add = (child: CST.Token | null | undefined, isKey = false) => {
    if (child)
      open.push({ token: child, depth: CST.isCollection(child) ? depth + 1 : depth, isKey });
  };
  if (token.type === 'document') {
    for (const child of token.start) add(child);
    add(token.value);
  } else if (CST.isCollection(token)) {
    for (const item of token.items) {
      for (const child of item.start) add(child);
      add(item.key, true);
      for (const child of item.sep ?? []) add(child);
      add(item.value);
    }
  }
}
