import { codePoint } from '../../text/characters.ts';

/** A mistake that is found in a YAML text before parsing. `offset` counts UTF-16 units. */
export interface TextFinding {
  readonly code: 'RG_YAML_SYNTAX' | 'RG_YAML_FEATURE' | 'RG_TOO_DEEP';
  readonly offset: number;
  readonly message: string;
  readonly hint?: string;
}

// The only control characters that a metadata file needs are line feeds, and carriage returns before them. All others
// are refused, and so are bidirectional controls.
const refused = /\r(?!\n)|(?![\r\n])\p{Cc}|[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/u;

/**
 * Finds the first tab, control character or bidirectional control of each line. These characters are refused even in
 * comments, because they can make a text look different from its content.
 */
export function scanText(text: string): readonly TextFinding[] {
  const findings: TextFinding[] = [];
  let start = 0;
  for (const line of text.split('\n')) {
    const match = refused.exec(`${line}\n`);
    if (match) findings.push(describe(match[0], start + match.index));
    start += line.length + 1;
  }
  return findings;
}

function describe(character: string, offset: number): TextFinding {
  const code = 'RG_YAML_SYNTAX';
  if (character === '\t') {
    return {
      code,
      offset,
      message: 'the line holds a tab',
      hint: 'indent and separate with spaces',
    };
  }
  return {
    code,
    offset,
    message: `the line holds the control character ${codePoint(character)}`,
    hint: 'remove it, or write it as an escape in a quoted text',
  };
}
