import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Files that take many seconds whatever their size. If they started last, the other workers would be idle. */
const longest = [
  'platform/sentinel/sentinel.test.ts',
  'server/cli/serve.test.ts',
  'server/cli/operator.test.ts',
  'server/cli/embedded.test.ts',
  'server/db/embedded/environment.test.ts',
  'server/db/embedded/recovery.test.ts',
  'permissions/property/rules.test.ts',
];

/** In a fresh checkout Vitest knows no durations, and sorts files by size. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    // The slow project comes first: its longest file alone takes longer than the rest of the run.
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
