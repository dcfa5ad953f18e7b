// Prints the counts of vitest's JSON report in one line.
import { readFileSync } from 'node:fs';

const report = JSON.parse(readFileSync(process.argv[2], 'utf8'));
const { numPassedTests, numFailedTests, numFailedTestSuites, numPendingTests } = report;
// A test file that cannot be loaded fails without a test.
const failed = numFailedTests || numFailedTestSuites;
const skipped = numPendingTests > 0 ? `, ${numPendingTests} skipped` : '';
process.stdout.write(`${numPassedTests} passed, ${failed} failed${skipped}\n`);
