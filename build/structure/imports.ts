import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';

/** The source files of a checkout, each with the files that it imports, including imports of types. */
export type Imports = ReadonlyMap<string, readonly string[]>;

/** Matches `from './x.ts'`, `import './x.ts'`, `import('./x.ts')` and `typeof import('./x.ts')`. */
const specifier = /(?:\bfrom\s+|\bimport\s*\(?\s*)['"](\.{1,2}\/[^'"]+)['"]/g;

/** Reads the imports of permissions/ and server/. Paths are relative to the root, with forward slashes. */
export function readImports(root: string): Imports {
  const files = globSync('{permissions,server}/**/*.{ts,tsx}', { cwd: root })
    .map((file) => file.replaceAll(path.sep, '/'))
    .filter((file) => !file.endsWith('.d.ts'))
    .sort();
  return new Map(files.map((file) => [file, importsOf(file, readText(root, file))]));
}

export function readText(root: string, file: string): string {
  return readFileSync(path.join(root, file), 'utf8');
}

function importsOf(file: string, text: string): readonly string[] {
  const folder = path.posix.dirname(file);
  const found = [...text.matchAll(specifier)].map(([, target = '']) =>
    path.posix.join(folder, target),
  );
  return [...new Set(found)];
}
