import { type Imports, readText } from './imports.ts';
import { isPage } from './order.ts';

/** Matches imports of values from server/admin/; findWrongImports reports imports of other folders. */
const serverValues = /^import (?!type\b)[^;]*?from '(?:\.\.\/)+admin\//m;

/** Finds pages of the console that import code of the server, which would then run in browsers. */
export function findServerCode(root: string, imports: Imports): readonly string[] {
  return [...imports.keys()]
    .filter((file) => isPage(file) && serverValues.test(readText(root, file)))
    .map((file) => `${file}: imports code of server/; only "import type" is allowed`);
}
