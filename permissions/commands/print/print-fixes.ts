import { join, sep } from 'node:path';
import type { FixedFile } from '../../review/fix/fix-metadata.ts';
import { unifiedDiff } from '../../review/fix/unified-diff.ts';
import { shown } from '../../text/characters.ts';

/** Says what was corrected, and what was left because of a comment. */
export function wordsOf(files: readonly FixedFile[], isDryRun: boolean): readonly string[] {
  return files.flatMap(({ done, skipped }) => [
    ...done.map(({ code, position: { file, line, column }, words }) =>
      shown(`${file}:${line}:${column} ${isDryRun ? 'would fix' : 'fixed'} ${code}: ${words}`),
    ),
    ...skipped.map(({ fix: { code, position }, reason }) =>
      shown(`${position.file}:${position.line}:${position.column} not fixed ${code}: ${reason}`),
    ),
  ]);
}

/** Returns the corrections as one unified diff. */
export function diffOf(files: readonly FixedFile[], folder: string): readonly string[] {
  return files.flatMap(({ path, before, edits }) => {
    const shownPath = join(folder, path).split(sep).join('/').replace(/^\//u, '');
    return edits.length === 0 ? [] : unifiedDiff(shownPath, before, edits);
  });
}
