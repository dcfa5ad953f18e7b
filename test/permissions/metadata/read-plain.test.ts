import { glob, readFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';
import { Report } from '../../../permissions/diagnostics.ts';
import { parseAnyYaml } from '../../../permissions/metadata/yaml/parse-yaml.ts';
import { readPlainYaml } from '../../../permissions/metadata/yaml/read-plain.ts';

const place = (line: number, column: number) => ({ file: 'x.yaml', line, column });

const root = path.resolve(import.meta.dirname, '../../..');

/** Returns all metadata files of the repository. */
async function metadataFiles(): Promise<readonly string[]> {
  const texts: string[] = [];
  for await (const file of glob('{metadata,bench/**,test/permissions/golden/*}/**/*.yaml', {
    cwd: root,
  })) {
    texts.push(await readFile(path.join(root, file), 'utf8'));
  }
  return texts;
}

/** Small files with all forms of nodes, and their neighbourhood. */
const samples = [
  "table: task\npermissions:\n  reader:\n    select: { filter: {}, columns: '*', limit: 10 }\n",
  'roles:\n  a: {}\n  # a comment\n\n  b: { inherits: [a, c-1], requires: [X-Gql-Id] }\n  c:\n',
  'a:\n- 1\n- -2\n- x/y.z\nb:\n  - [true, null, "t e", \'\']\n  - { k: { l: [[], {}] } }\nc: 0\n',
  'a:\n    b:\n      c: false\n    d: x\ne: { f: [ 1 , 2 ], g:  h }\n',
];

/** The node, and the number of mistakes, by the YAML parser. */
function byParser(text: string): unknown {
  const report = new Report();
  const node = parseAnyYaml(text, place, report);
  return { node, mistakes: report.diagnostics.length };
}

/** Returns the texts that the plain reader reads in another way than the YAML parser. */
function differing(texts: readonly string[]): readonly string[] {
  return texts.filter((text) => {
    const node = readPlainYaml(text, place);
    return node && JSON.stringify({ node, mistakes: 0 }) !== JSON.stringify(byParser(text));
  });
}

const inserted = [
  ...' :-#\'"{}[],&*!|>%@`~?\\\n\t\r0aT.<=+é',
  ' - ',
  ': ',
  '\n  ',
  ' #',
  '--- ',
  "''",
];

/** Returns the text with each of the insertions at each place, and without each character. */
function variantsOf(text: string): readonly string[] {
  return Array.from(text, (_, index) => index).flatMap((index) => [
    ...inserted.map((one) => text.slice(0, index) + one + text.slice(index)),
    ...inserted.map((one) => text.slice(0, index) + one + text.slice(index + 1)),
    text.slice(0, index) + text.slice(index + 1),
    text.slice(0, index) + text.slice(index + 3),
  ]);
}

test.each(samples)('a file of common forms is read without the YAML parser: %j', (text) => {
  expect(readPlainYaml(text, place)).toEqual((byParser(text) as { node: unknown }).node);
});

test('the metadata of the repository has the same nodes by both readers', async () => {
  const texts = await metadataFiles();
  expect(texts.length).toBeGreaterThan(20);
  expect(differing(texts)).toEqual([]);
});

test('files with one change anywhere have the same nodes by both readers, or need the YAML parser', () => {
  expect(differing(samples.flatMap(variantsOf))).toEqual([]);
});

test.each([
  ...['True', 'NULL', '1.5', '0x1f', '012', '1e3', '.inf', '~', '-0', '1_000', '+1', 'a b', 'a:b'],
  ...[
    'a # b',
    '&a b',
    '*a',
    '!t a',
    '| ',
    '> x',
    '"a\\n"',
    "'it''s'",
    '[a,',
    '{a}',
    '{a: 1, a: 2}',
  ],
  ...['- a', '? a', '%a', '@a', '`a', '<<', '[a: b]', '{ "a": 1 }', 'é', '1234567890123456'],
])('leaves the value %j to the YAML parser', (value) => {
  expect(readPlainYaml(`a: ${value}\n`, place)).toBeUndefined();
});
