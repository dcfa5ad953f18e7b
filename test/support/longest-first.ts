import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Files that take many seconds whatever their size; begun last, they would leave the other workers idle. */
const longest = [
  'platform/sentinel/sentinel.test.ts',
  'server/cli/serve.test.ts',
  'server/cli/operator.test.ts',
  'server/cli/embedded.test.ts',
  'server/db/embedded/environment.test.ts',
  'server/db/embedded/recovery.test.ts',
  'permissions/property/rules.test.ts',
];

/** A fresh checkout knows no durations of an earlier run, and Vitest goes by the size of files. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    // The slow project first: its longest file alone takes longer than most workers have left at the end.
    const projects = [...new Set(['slow', ...sorted.map(({ project }) => project.name)])];
    return projects.flatMap((name) => {
      const own = sorted.filter(({ project }) => project.name === name);
      return [...own.filter(isLong), ...own.filter((file) => !isLong(file))];
    });
  }
}

function isLong({ moduleId }: TestSpecification): boolean {
  return longest.some((name) => moduleId.endsWith(`/test/${name}`));
}
