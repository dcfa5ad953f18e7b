import { readFileSync } from 'node:fs';
import path from 'node:path';

/** Matches imports of built JavaScript, at its top and on demand. */
const specifier = /(?:^(?:import\s|export\s*[*{])[^'"=]*?|\bimport\()['"]([^'"]+)['"]/gm;

/** Finds the files that a built program may load. */
export function loadedFiles(entry: string, loaded = new Set<string>()): ReadonlySet<string> {
  if (loaded.has(entry)) return loaded;
  loaded.add(entry);
  for (const target of importsOf(entry)) {
    if (target.startsWith('.')) loadedFiles(path.join(path.dirname(entry), target), loaded);
  }
  return loaded;
}

/** Finds the packages that built files import. */
export function importedPackages(files: Iterable<string>): ReadonlySet<string> {
  const targets = [...files].flatMap(importsOf);
  return new Set(
    targets
      .filter((target) => !target.startsWith('.') && !target.startsWith('node:'))
      .map((target) =>
        target
          .split('/')
          .slice(0, target.startsWith('@') ? 2 : 1)
          .join('/'),
      ),
  );
}

function importsOf(file: string): readonly string[] {
  if (!file.endsWith('.js')) return [];
  return [...readFileSync(file, 'utf8').matchAll(specifier)].map(([, target = '']) => target);
}
