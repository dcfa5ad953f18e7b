import { spawnSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { processorTime } from '../../../bench/load/processor-time.ts';

const TICK_US = 10_000;
const busyProgram = `
  while (process.cpuUsage().user < 100_000);
  const { user, system } = process.cpuUsage();
  process.stdout.write(String(user + system));
`;

test.skipIf(process.platform !== 'linux')(
  'counts the processor time of a process that has ended',
  async () => {
    const before = await processorTime(process.pid);
    const used = Number(spawnSync(process.execPath, ['-e', busyProgram]).stdout);
    const after = await processorTime(process.pid);
    expect(Number(after) - Number(before)).toBeGreaterThan(used - 2 * TICK_US);
  },
);
