import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { graphqlCodes, problemCodes } from '../../build/reference/codes.ts';
import { referencePages } from '../../build/reference/pages.ts';
import { readSettings } from '../../build/reference/read-settings.ts';
import { settingGroups } from '../../build/reference/settings.ts';
import { diagnosticCodes } from '../../permissions/index.ts';
import { processErrorCodes } from '../../server/errors.ts';

const root = path.resolve(import.meta.dirname, '../..');
const readText = (file: string) => readFileSync(path.join(root, file), 'utf8');
const codesPage = readText('docs/reference/codes.md');

test.each(Object.entries(referencePages()))(
  'docs/reference/%s equals what `npm run reference` writes',
  (name, text) => {
    expect(readText(`docs/reference/${name}`)).toBe(text);
  },
);

test('docs/reference/codes.md explains every code of a command, and no other', () => {
  const explained = [...codesPage.matchAll(/^\| `(RG_\w+)` \| (.+) \|$/gm)].map(
    ([, code, text]) => [code, text],
  );
  expect(explained).toHaveLength(new Set(explained.map(([code]) => code)).size);
  expect(Object.fromEntries(explained)).toEqual({ ...diagnosticCodes, ...processErrorCodes });
});

test('the reference explains every code that an HTTP or GraphQL answer can have', () => {
  const codes = [
    ...codesIn(/(?:RequestError|CallerError)\(\s*'([A-Za-z_-]+)'/g),
    ...codesIn(/\bcode: '([a-z-]+)'/g),
  ];
  expect(codes.length).toBeGreaterThan(50);
  const explained = new Set([...Object.keys(graphqlCodes), ...Object.keys(problemCodes)]);
  expect(codes.filter((code) => !explained.has(code))).toEqual([]);
});

test('every REST code that the reference explains occurs in the server', () => {
  const sources = serverFiles().map(readText).join('\n');
  expect(Object.keys(problemCodes).filter((code) => !sources.includes(`'${code}'`))).toEqual([]);
});

test('the reference lists every setting that the configuration reads, and no other', () => {
  const listed = settingGroups.flatMap(({ settings }) => Object.keys(settings));
  expect(listed.toSorted()).toEqual([...readSettings().keys()].toSorted());
});

test('the reference lists every setting that a file of the configuration names', () => {
  const asked = serverFiles()
    .filter((file) => /^server\/(platform\/)?config\//.test(file))
    .flatMap((file) => [...readText(file).matchAll(/read\.\w+\(\s*'([A-Z_]+)'/g)])
    .map(([, name]) => name);
  const listed = settingGroups.flatMap(({ settings }) => Object.keys(settings));
  expect([...new Set(asked)].toSorted()).toEqual(listed.toSorted());
});

function serverFiles(): readonly string[] {
  return readdirSync(path.join(root, 'server'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .map((name) => path.posix.join('server', name));
}

/** Returns the texts that the first group of a pattern matches in the sources of the server. */
function codesIn(pattern: RegExp): readonly string[] {
  const codes = serverFiles().flatMap((file) =>
    [...readText(file).matchAll(pattern)].map(([, code = '']) => code),
  );
  return [...new Set(codes)];
}

test('docs/deployment/logging-and-metrics.md lists every metric of the server, and no other', () => {
  const page = readText('docs/deployment/logging-and-metrics.md');
  const listed = [...page.matchAll(/^\| `(rowgate_\w+)/gm)].map(([, name]) => name);
  const sources = serverFiles().map(readText).join('\n');
  const made = [...sources.matchAll(/(?:name: |gauge\(\s*)'(rowgate_\w+)'/g)].map(
    ([, name]) => name,
  );
  expect(listed.toSorted()).toEqual(made.toSorted());
});
