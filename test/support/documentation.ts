import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';

export const root = path.resolve(import.meta.dirname, '../..');

/** A Markdown file of the repository, by its path from the root. */
export interface Page {
  readonly file: string;
  readonly text: string;
}

export function readPage(file: string): Page {
  return { file, text: readFileSync(path.join(root, file), 'utf8') };
}

/** Every page of the documentation and the Markdown files beside it. */
export function readPages(): readonly Page[] {
  return globSync(['*.md', 'docs/**/*.md', '{bench,test}/**/*.md'], { cwd: root })
    .toSorted()
    .map(readPage);
}

/** The text without fenced blocks, whose lines are examples. */
export function withoutFences(text: string): string {
  return text.replaceAll(/^```[^\n]*\n[\s\S]*?^```$/gm, '');
}

/** All pages of the documentation as one text, for facts that may stand on any of them. */
export function readDocumentation(): string {
  return readPages()
    .filter(({ file }) => file.startsWith('docs/') || file === 'README.md')
    .map(({ text }) => text)
    .join('\n');
}
