import { type Imports, readText } from './imports.ts';

/** Matches imports of values from server/. */
const serverValues = /^import (?!type\b)[^;]*?from '(?:\.\.\/)+server\//m;

/** Finds files of console/ that import code of the server, which would then run in browsers. */
export function findServerCode(root: string, imports: Imports): readonly string[] {
  return [...imports.keys()]
    .filter((file) => file.startsWith('console/') && serverValues.test(readText(root, file)))
    .map((file) => `${file}: imports code of server/; only "import type" is allowed`);
}
