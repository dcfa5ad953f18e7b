import { createTwoFilesPatch } from 'diff';
import type { Draft } from './draft-store.ts';

/** Returns the drafts as a patch. `git apply` and `patch -p1` take it in the metadata folder. */
export function patchOf(drafts: readonly Draft[]): string {
  return drafts
    .toSorted((a, b) => (a.file < b.file ? -1 : 1))
    .map(({ file, opened, text }) => {
      const patch = createTwoFilesPatch(`a/${file}`, `b/${file}`, opened.text, text);
      // The line above the names is a decoration that git does not need.
      return patch.slice(patch.indexOf('--- '));
    })
    .join('');
}

/** Offers a text as a file. */
export function download(name: string, text: string): void {
  const url = URL.createObjectURL(new Blob([text], { type: 'text/x-diff' }));
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  URL.revokeObjectURL(url);
}
