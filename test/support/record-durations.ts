// Writes down how long each file of tests took, from a JSON report of Vitest:
//   npm run test:all -- --reporter=json --outputFile.json=report.json && node test/support/record-durations.ts report.json
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { durationsFile } from './longest-first.ts';

interface Report {
  readonly testResults: readonly {
    readonly name: string;
    readonly startTime: number;
    readonly endTime: number;
  }[];
}

const root = path.resolve(import.meta.dirname, '../..');
const { testResults } = JSON.parse(readFileSync(process.argv[2] ?? '', 'utf8')) as Report;
const seconds = new Map<string, number>();
for (const { name, startTime, endTime } of testResults) {
  const file = path.relative(root, name);
  const took = Math.round((endTime - startTime) / 1000);
  // A file that runs on both versions of Postgres counts with its longer time.
  seconds.set(file, Math.max(took, seconds.get(file) ?? 0));
}
// Shorter files start in any order without leaving a worker idle at the end.
const long = [...seconds].filter(([, took]) => took >= 5).sort(([, one], [, two]) => two - one);
writeFileSync(durationsFile, `${JSON.stringify(Object.fromEntries(long), null, 2)}\n`);
