import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { diagnosticCodes } from '../../../permissions/index.ts';
import { processErrorCodes } from '../../../server/errors.ts';
import { readDocumentation, root } from '../../support/documentation.ts';

const documentation = readDocumentation();

test('the documentation explains every code, and no other', () => {
  const table = documentation.split('\n<!-- codes -->\n')[1]?.split('<!-- /codes -->')[0] ?? '';
  const explained = [...table.matchAll(/^\| `(RG_\w+)` \| (.+) \|$/gm)].map(([, code, text]) => [
    code,
    text,
  ]);
  expect(Object.fromEntries(explained)).toEqual({ ...diagnosticCodes, ...processErrorCodes });
});

test('the documentation explains every code of an answer', () => {
  const codes = [
    ...codesIn(/(?:RequestError|CallerError)\(\s*'([A-Za-z_-]+)'/g),
    ...codesIn(/\bcode: '([a-z-]+)'/g),
  ];
  expect(codes.length).toBeGreaterThan(50);
  for (const code of codes) expect(documentation).toContain(`\`${code}\``);
});

/** Returns what a pattern catches in the sources of the server. */
function codesIn(pattern: RegExp): readonly string[] {
  const sources = globSync('server/**/*.ts', { cwd: root }).map((file) =>
    readFileSync(path.join(root, file), 'utf8'),
  );
  const codes = sources.flatMap((text) => [...text.matchAll(pattern)].map(([, code = '']) => code));
  return [...new Set(codes)];
}
