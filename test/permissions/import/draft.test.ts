import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { Report } from '../../../permissions/diagnostics.ts';
import { makeDraft } from '../../../permissions/import/draft.ts';
import { folderFiles } from '../../../permissions/import/folder-files.ts';
import { ImportReport } from '../../../permissions/import/hasura/import-report.ts';
import { readInput } from '../../../permissions/import/hasura/input/read-input.ts';
import { translateMetadata } from '../../../permissions/import/hasura/translate-metadata.ts';
import type { RawNode } from '../../../permissions/metadata/yaml/node.ts';
import { parseYaml } from '../../../permissions/metadata/yaml/parse-yaml.ts';

const golden = path.resolve(import.meta.dirname, 'golden');

/** Returns the metadata that an import of a golden case checks in memory, and the files that the import writes. */
async function draftOf(name: string) {
  const folder = path.join(golden, name);
  const input = ['hasura.json', 'export'].map((one) => path.join(folder, one)).find(existsSync);
  const found = new Report();
  const root = await readInput(input ?? '', found);
  if (!root) throw new Error(`${name} has no input`);
  const options = { headerPrefix: 'X-Gql-', source: undefined };
  const imported = translateMetadata(root, options, new ImportReport());
  const files = folderFiles(imported, 'X-Gql-');
  return { files, draft: makeDraft(files, imported, found), found, folder };
}

/** Returns the contents of a YAML node without positions. A number also keeps its digits as written. */
function contents(node: RawNode | undefined): unknown {
  switch (node?.kind) {
    case 'map':
      return node.entries.map(({ key, value }) => [key, contents(value)]);
    case 'list':
      return node.items.map(contents);
    case 'scalar':
      return [node.value, typeof node.value === 'number' ? node.source : ''];
    default:
      return undefined;
  }
}

describe.each(readdirSync(golden))('an import of the golden case %s', (name) => {
  test('checks in memory the same YAML nodes that it writes to files', async () => {
    const { files, draft, found } = await draftOf(name);
    for (const { path: file, text } of files) {
      const written = parseYaml(text, file, found);
      expect([file, contents(draft.roots.get(file))]).toEqual([file, contents(written)]);
    }
    expect(found.diagnostics).toEqual([]);
  });
});

test('an imported rule keeps its position in hasura.json, so that findings name that position', async () => {
  const { draft, folder } = await draftOf('presets');
  const roots = [...draft.roots].filter(([file]) => file.startsWith('tables/'));
  const rules = roots.flatMap(([, root]) => entriesBelow(root, 'permissions').flatMap(entries));
  expect(rules.length).toBeGreaterThan(0);
  for (const { keyPosition, value } of rules) {
    expect(keyPosition.file).toBe(`${folder}/hasura.json`);
    expect(value.position).toEqual(keyPosition);
    expect(draft.originOf(keyPosition)?.subject.kind).toBe('rule');
  }
  const places = rules.map(({ keyPosition: { line, column } }) => `${line}:${column}`);
  expect(new Set(places).size).toBe(rules.length);
});

function entries(node: RawNode) {
  return node.kind === 'map' ? node.entries : [];
}

function entriesBelow(root: RawNode, key: string): readonly RawNode[] {
  const sections = entries(root).filter((entry) => entry.key === key);
  return sections.flatMap(({ value }) => entries(value).map((entry) => entry.value));
}
