// `npm run reference`: writes the generated pages of docs/reference/.
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { referencePages } from './reference/pages.ts';

const folder = path.resolve(import.meta.dirname, '../docs/reference');
mkdirSync(folder, { recursive: true });
for (const [name, text] of Object.entries(referencePages())) {
  writeFileSync(path.join(folder, name), text);
}
