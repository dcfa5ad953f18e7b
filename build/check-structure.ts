// Checks the imports of permissions/ and server/ as a part of `npm run check`; no linter has these rules.
import path from 'node:path';
import { findProblems } from './structure/check.ts';

const problems = findProblems(path.resolve(import.meta.dirname, '..'));
for (const problem of problems) process.stderr.write(`${problem}\n`);
if (problems.length > 0) {
  process.stderr.write(
    `${problems.length} problems; docs/contributing/applications.md has the rules\n`,
  );
  process.exitCode = 1;
}
