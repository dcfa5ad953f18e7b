import { expect, test } from 'vitest';
import { commands } from '../../../permissions/index.ts';
import { editorSchemas } from '../../../permissions/metadata/schemas/editor-schemas.ts';
import { exportSdlCommand } from '../../../server/start/export-sdl-command.ts';
import { migrateCommand } from '../../../server/start/migrate-command.ts';
import { readPage, readPages } from '../../support/documentation.ts';

const operators = readPages()
  .filter(({ file }) => file.startsWith('docs/operators/'))
  .map(({ text }) => text)
  .join('\n');
const commandLine = readPage('docs/operators/command-line.md').text;

/** Returns the names of all properties in a JSON Schema, at any depth. */
function keysOf(schema: unknown): readonly string[] {
  if (typeof schema !== 'object' || schema === null) return [];
  const own = 'properties' in schema ? Object.keys(schema.properties as object) : [];
  return [...own, ...Object.values(schema).flatMap(keysOf)];
}

test.each([...new Set(Object.values(editorSchemas()).flatMap(keysOf))])(
  'a page in docs/operators shows the metadata key %s',
  (key) => {
    expect(new RegExp(`\\b${key}:|\`${key}\``).test(operators)).toBe(true);
  },
);

test.each(['serve', ...[migrateCommand, exportSdlCommand, ...commands].map(({ name }) => name)])(
  'docs/operators/command-line.md lists the command %s',
  (name) => {
    expect(new RegExp(`^\\| \`${name}[ \`]`, 'm').test(commandLine)).toBe(true);
  },
);
