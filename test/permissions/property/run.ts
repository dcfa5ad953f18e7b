import { spawnSync } from 'node:child_process';
import { randomInt } from 'node:crypto';
import path from 'node:path';
import { parseArgs } from 'node:util';

const usage = 'npm run test:property -- [--long | --cases NUMBER] [--seed NUMBER]';

/** Runs the property tests of rules and of their comparison alone, with more cases or with the seed of an earlier failure. */
function run(): number {
  const { values } = parseArgs({
    options: {
      long: { type: 'boolean', default: false },
      cases: { type: 'string' },
      seed: { type: 'string' },
    },
  });
  const cases = values.cases ?? (values.long ? '100000' : undefined);
  const vitest = path.resolve(import.meta.dirname, '../../../node_modules/vitest/vitest.mjs');
  const comparison = path.resolve(import.meta.dirname, '../diff/rows/soundness.test.ts');
  const { status } = spawnSync(process.execPath, [vitest, 'run', import.meta.dirname, comparison], {
    stdio: 'inherit',
    env: {
      ...process.env,
      ...(cases !== undefined && { PROPERTY_CASES: cases }),
      PROPERTY_SEED: values.seed ?? String(randomInt(2 ** 31)),
    },
  });
  return status ?? 1;
}

try {
  process.exitCode = run();
} catch (error) {
  process.stderr.write(`${(error as Error).message}\n${usage}\n`);
  process.exitCode = 2;
}
