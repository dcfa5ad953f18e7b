import { globSync } from 'node:fs';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { stringify } from 'yaml';
import {
  type FileKind,
  fileKinds,
  schemaLine,
} from '../../../permissions/metadata/schemas/editor-schemas.ts';
import { fileExamples } from '../../../permissions/metadata/schemas/examples.ts';
import { runCommand } from '../../support/command-line.ts';
import { LanguageServer } from './language-server.ts';

let folder: string;
let server: LanguageServer;
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'rowgate-schema-'));
  await runCommand(['schema', '--out', path.join(folder, '.schemas')]);
  server = await LanguageServer.start();
});
afterAll(async () => {
  await server.stop();
  await rm(folder, { recursive: true, force: true });
});

let count = 0;
/** Returns the findings about a file of this kind that begins with the line for editors. */
async function findingsIn(kind: FileKind, text: string) {
  count += 1;
  const file = path.join(folder, kind.replace('*', 'file').replace('.yaml', `-${count}.yaml`));
  return { file, findings: await server.findings(file, `${schemaLine(kind)}${text}`) };
}

test('rowgate schema writes one JSON Schema for each kind of file, and the same again in a second run', async () => {
  const { code, stdout } = await runCommand(['schema', '--out', path.join(folder, '.schemas')]);
  expect(code).toBe(0);
  expect(stdout).toContain('$schema=../.schemas/tables.json');
  const files = await readdir(path.join(folder, '.schemas'));
  expect(files.length).toBe(fileKinds.length);
});

describe('yaml-language-server, with the schemas of rowgate schema,', () => {
  test.each(fileKinds)('accepts the example of %s', async (kind) => {
    const text = stringify(fileExamples[kind].examples[0]);
    expect((await findingsIn(kind, text)).findings).toEqual([]);
  });

  const root = path.resolve(import.meta.dirname, '../../../metadata');
  const kindOf = (file: string): FileKind =>
    fileKinds.find((kind) => path.matchesGlob(file, kind)) ?? 'rowgate.yaml';

  test.each(globSync('{*.yaml,tables/wallet*.yaml,functions/*.yaml}', { cwd: root }))(
    'accepts %s of the platform',
    async (file) => {
      const text = await readFile(path.join(root, file), 'utf8');
      expect((await findingsIn(kindOf(file), text)).findings).toEqual([]);
    },
  );

  test.each<[FileKind, string, number, RegExp]>([
    ['roles.yaml', 'roles:\n  clerk: { purpse: x }\n', 3, /purpse is not allowed/],
    ['cron.yaml', 'nightly: { schedule: 3 }\n', 2, /Incorrect type/],
    [
      'actions.yaml',
      'actions:\n  a: { type: subscription, output_type: Int, handler: /x }\n',
      3,
      /"query"/,
    ],
    ['allow_list.yaml', 'allow: []\n', 2, /Missing property "collections"/],
    ['graphile.yaml', 'limits: { depth: 0 }\n', 2, /minimum/],
    ['filters.yaml', 'filters: []\n', 2, /Incorrect type/],
    ['rowgate.yaml', 'version: 2\n', 2, /1/],
    [
      'tables/*.yaml',
      'table: a\npermissions:\n  clerk:\n    select: { filter: {} }\n',
      5,
      /Missing property "columns"/,
    ],
    ['functions/*.yaml', 'function: a\nexposed_as: view\n', 3, /"query"/],
  ])('reports the mistake in %s', async (kind, text, line, message) => {
    expect((await findingsIn(kind, text)).findings).toEqual([
      { line, message: expect.stringMatching(message) },
    ]);
  });

  test('shows the description of a key', async () => {
    const { file } = await findingsIn('rowgate.yaml', 'references_visible: true\n');
    expect(await server.hover(file, 2, 3)).toContain('must lead to a row that the role may see');
  });
});

test('every key of every schema has a title or a description', async () => {
  const bare = (schema: unknown, at: string): readonly string[] => {
    if (typeof schema !== 'object' || schema === null) return [];
    const { properties = {} } = schema as { readonly properties?: object };
    const own = Object.entries(properties).filter(
      ([, value]) => !('title' in value || 'description' in value),
    );
    const below = Object.entries(schema).filter(([key]) => key !== 'examples');
    return [
      ...own.map(([key]) => `${at}/${key}`),
      ...below.flatMap(([key, value]) => bare(value, `${at}/${key}`)),
    ];
  };
  const files = await readdir(path.join(folder, '.schemas'));
  for (const file of files) {
    const schema = JSON.parse(await readFile(path.join(folder, '.schemas', file), 'utf8'));
    expect(schema).toMatchObject({
      description: expect.any(String),
      examples: [expect.anything()],
    });
    expect(bare(schema, file)).toEqual([]);
  }
});
