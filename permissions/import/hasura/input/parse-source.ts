import { Composer, isScalar, LineCounter, type ParsedNode, Parser, visit } from 'yaml';
import type { Report } from '../../../diagnostics.ts';
import { inspectTokens } from '../../../metadata/yaml/inspect-tokens.ts';
import { makeNode } from '../../../metadata/yaml/make-node.ts';
import type { RawNode } from '../../../metadata/yaml/node.ts';

/**
 * A text that begins with this mark names a file, and stands for the content of that file. Hasura's CLI writes such
 * texts, e.g. `!include public_user.yaml`.
 */
export const includeMark = '!include ';

/**
 * Parses YAML, of which JSON is a subset; `file` is the file name in findings. Numbers keep every digit, and nodes keep
 * their positions. Anchors and aliases are refused. `!include file` may have a YAML tag or be a quoted text; both are
 * returned as a text that begins with `includeMark`. When the text cannot be read, reports the reason and returns
 * undefined.
 */
export function parseSource(text: string, file: string, report: Report): RawNode | undefined {
  const before = report.diagnostics.length;
  const lines = new LineCounter();
  const at = (offset: number) => {
    const { line, col } = lines.linePos(offset);
    return { file, line, column: col };
  };
  const tokens = [...new Parser(lines.addNewLine).parse(text)];
  const refused = inspectTokens(tokens).filter(
    ({ offset }) => !/^!include\s/u.test(text.slice(offset, offset + includeMark.length)),
  );
  for (const { code, offset, message, hint } of refused.slice(0, 1))
    report.error(code, at(offset), message, hint);
  if (refused.length > 0) return undefined;
  const composer = new Composer({ version: '1.2', uniqueKeys: false, prettyErrors: false });
  const [document] = composer.compose(tokens, true, text.length);
  for (const error of document?.errors.slice(0, 1) ?? [])
    report.error('RG_YAML_SYNTAX', at(error.pos[0]), error.message.replace(/\.$/u, ''));
  if (report.diagnostics.length > before) return undefined;
  const contents = document?.contents;
  if (!contents || contents.range[0] === contents.range[1]) {
    report.error('RG_SHAPE', at(0), 'the file is empty');
    return undefined;
  }
  markIncludes(contents);
  const node = makeNode(contents, at, report);
  return report.diagnostics.length > before ? undefined : node;
}

function markIncludes(contents: ParsedNode): void {
  visit(contents, {
    Scalar: (_key, node) => {
      if (isScalar(node) && node.tag === includeMark.trim())
        node.value = `${includeMark}${String(node.value)}`;
    },
  });
}
