import { readFileSync } from 'node:fs';
import path from 'node:path';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** The seconds that files took in a recorded run, for files of 5 seconds and more. */
export const durationsFile = path.join(import.meta.dirname, '../durations.json');

const root = path.resolve(import.meta.dirname, '../..');

/**
 * Runs long files first, because a long file that starts last leaves the other workers idle. A fresh checkout has no
 * durations of an earlier run, so they are recorded; Vitest orders the remaining files by size.
 */
export class LongestFirst extends BaseSequencer {
  readonly #seconds: Readonly<Record<string, number>> = JSON.parse(
    readFileSync(durationsFile, 'utf8'),
  );

  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    // The slow project comes first: its longest file alone takes longer than most workers have left at the end.
    const projects = [...new Set(['slow', ...sorted.map(({ project }) => project.name)])];
    return projects.flatMap((name) =>
      sorted
        .filter(({ project }) => project.name === name)
        .sort((one, other) => this.#secondsOf(other) - this.#secondsOf(one)),
    );
  }

  #secondsOf({ moduleId }: TestSpecification): number {
    return this.#seconds[path.relative(root, moduleId)] ?? 0;
  }
}
