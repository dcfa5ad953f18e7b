import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';
import { commands } from '../../permissions/index.ts';
import { editorSchemas } from '../../permissions/metadata/schemas/editor-schemas.ts';
import { exportSdlCommand } from '../../server/start/export-sdl-command.ts';
import { migrateCommand } from '../../server/start/migrate-command.ts';

const readme = await readFile(path.resolve(import.meta.dirname, '../../README.md'), 'utf8');

/** Returns the names of all properties in a JSON Schema, at any depth. */
function keysOf(schema: unknown): readonly string[] {
  if (typeof schema !== 'object' || schema === null) return [];
  const own = 'properties' in schema ? Object.keys(schema.properties as object) : [];
  return [...own, ...Object.values(schema).flatMap(keysOf)];
}

test.each([...new Set(Object.values(editorSchemas()).flatMap(keysOf))])(
  'the README shows the key %s of metadata',
  (key) => {
    expect(new RegExp(`\\b${key}:|\`${key}\``).test(readme)).toBe(true);
  },
);

test.each(['serve', ...[migrateCommand, exportSdlCommand, ...commands].map(({ name }) => name)])(
  'the README lists the command %s',
  (name) => {
    expect(new RegExp(`^\\| \`${name}[ \`]`, 'm').test(readme)).toBe(true);
  },
);
