// Prints the counts of vitest's JSON report as a line of their own.
import { readFileSync } from 'node:fs';

const report = JSON.parse(readFileSync(process.argv[2], 'utf8'));
const { numPassedTests, numFailedTests, numFailedTestSuites, numPendingTests } = report;
// A file that cannot be loaded fails without a test.
const failed = numFailedTests || numFailedTestSuites;
const skipped = numPendingTests > 0 ? `, ${numPendingTests} skipped` : '';
process.stdout.write(`${numPassedTests} passed, ${failed} failed${skipped}\n`);
