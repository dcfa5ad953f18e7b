import { Composer, LineCounter, type ParsedNode, Parser } from 'yaml';
import type { Report } from '../../diagnostics.ts';
import { inspectTokens } from './inspect-tokens.ts';
import { makeNode } from './make-node.ts';
import type { RawNode } from './node.ts';
import { scanText, type TextFinding } from './scan-text.ts';

/** Maximum number of findings that are reported one by one. Further findings are only counted. */
const maxFindings = 100;

/**
 * Codes of parser errors that only follow from a refused feature. They are dropped, because the feature itself is
 * reported.
 */
const consequences: ReadonlySet<string> = new Set([
  'ALIAS_PROPS',
  'BAD_ALIAS',
  'BAD_DIRECTIVE',
  'MULTIPLE_ANCHORS',
  'MULTIPLE_TAGS',
  'TAG_RESOLVE_FAILED',
]);

/**
 * Parses the text of one metadata file, with the position of every node. `file` is the name in messages, `inFolder` the
 * path within the metadata folder. Reports each mistake. Returns undefined if the text is not valid YAML or uses a refused feature. Invalid keys (duplicate,
 * not text) are reported and skipped.
 */
export function parseYaml(
  text: string,
  file: string,
  report: Report,
  inFolder?: string,
): RawNode | undefined {
  const lines = lineCounterOf(text);
  const at = (offset: number) => {
    const { line, col: column } = lines.linePos(offset);
    return inFolder === undefined ? { file, line, column } : { file, line, column, inFolder };
  };
  const { contents, findings } = readText(text);
  const sorted = findings.toSorted((a, b) => a.offset - b.offset);
  for (const { code, offset, message, hint } of sorted.slice(0, maxFindings)) {
    report.error(code, at(offset), message, hint);
  }
  const firstBeyond = sorted[maxFindings];
  if (firstBeyond) {
    const message = `${sorted.length - maxFindings} more mistakes follow in this file`;
    report.error(firstBeyond.code, at(firstBeyond.offset), message);
  }
  if (sorted.length > 0) return undefined;
  if (contents) return makeNode(contents, at, report);
  report.error('RG_SHAPE', at(0), 'the file is empty', 'fill it, or delete it');
  return undefined;
}

function lineCounterOf(text: string): LineCounter {
  const lines = new LineCounter();
  lines.addNewLine(0);
  for (let i = text.indexOf('\n'); i >= 0; i = text.indexOf('\n', i + 1)) lines.addNewLine(i + 1);
  return lines;
}

interface TextContents {
  /** Undefined if the file holds only comments. */
  readonly contents: ParsedNode | undefined;
  readonly findings: readonly TextFinding[];
}

function readText(text: string): TextContents {
  const hidden = scanText(text);
  if (hidden.length > 0) return { contents: undefined, findings: hidden };
  const tokens = withPlainEnvironment(() => [...new Parser().parse(text)]);
  const refused = inspectTokens(tokens);
  // The composer is recursive, so text that is nested too deeply would overflow the stack.
  if (refused.some((finding) => finding.code === 'RG_TOO_DEEP')) {
    return { contents: undefined, findings: refused };
  }
  // The parser would need quadratic time to find duplicate keys, so makeNode finds them.
  const composer = new Composer({ version: '1.2', uniqueKeys: false, prettyErrors: false });
  const [document] = composer.compose(tokens, true, text.length);
  const contents = document?.contents ?? undefined;
  const errors = (document?.errors ?? []).filter((error) => !consequences.has(error.code));
  return {
    contents: contents && contents.range[0] < contents.range[1] ? contents : undefined,
    findings: [...refused, ...errors.map(syntaxFinding)],
  };
}

/**
 * Runs work with an empty object as environment. The parser reads an environment variable for each token, and a look
 * into the real environment takes longer than to parse a token.
 */
function withPlainEnvironment<T>(work: () => T): T {
  const { env } = process;
  process.env = {};
  try {
    return work();
  } finally {
    process.env = env;
  }
}

/** Advice about mistakes whose message does not say how to mend them, by the code of the parser. */
const syntaxHints: Readonly<Record<string, string>> = {
  BAD_INDENT: 'indent everything of one level by the same number of spaces',
  BAD_SCALAR_START: 'put the text in quotes',
  BLOCK_AS_IMPLICIT_KEY: 'begin a new line after the colon, or put the text in quotes',
};

function syntaxFinding(error: {
  readonly code: string;
  readonly pos: [number, number];
  readonly message: string;
}): TextFinding {
  const message = `not valid YAML: ${error.message.replace(/\.$/u, '')}`;
  const hint = syntaxHints[error.code];
  return { code: 'RG_YAML_SYNTAX', offset: error.pos[0], message, ...(hint && { hint }) };
}
