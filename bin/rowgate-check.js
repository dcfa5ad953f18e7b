#!/usr/bin/env node
// Plain JavaScript for all versions of Node, so that an old Node reports its version instead of a syntax error.
const neededMajor = 22;

if (Number.parseInt(process.versions.node, 10) >= neededMajor) {
  await import('../dist/server/check.js');
} else {
  process.stderr.write(
    `rowgate-check: needs Node ${neededMajor} or later, this is ${process.versions.node}\n`,
  );
  process.exitCode = 2;
}
