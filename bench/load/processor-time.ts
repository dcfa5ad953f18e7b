import { readdir, readFile } from 'node:fs/promises';

/** /proc counts the time of ended processes in ticks of this many microseconds (USER_HZ is 100 on Linux). */
const TICK_US = 10_000;

/**
 * Returns the processor time in microseconds that a process and all processes below it have used so far, with those
 * that have ended. Returns undefined on systems other than Linux.
 */
export async function processorTime(root: number): Promise<number | undefined> {
  if (process.platform !== 'linux') return undefined;
  for (;;) {
    const tree = treeOf(root, await readStats());
    const running = await Promise.all(tree.map(({ pid }) => runningTime(pid)));
    const after = treeOf(root, await readStats());
    // The parent has counted an ended process by the second look, so its time would be missing or counted twice.
    if (endedTime(after) === endedTime(tree)) {
      return running.reduce((sum, time) => sum + time, endedTime(tree));
    }
  }
}

/** The process that has started another one. */
export async function parentOf(pid: number): Promise<number> {
  return parseStat(pid, await readFile(`/proc/${pid}/stat`, 'utf8')).parent;
}

interface Stat {
  readonly pid: number;
  readonly parent: number;
  /** The time in microseconds of children that have ended. */
  readonly endedUs: number;
}

function parseStat(pid: number, text: string): Stat {
  // The second field is the name of the program in parentheses, which can contain spaces.
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  const [parent = 0, ended = 0, endedInKernel = 0] = [fields[1], fields[13], fields[14]].map(
    Number,
  );
  return { pid, parent, endedUs: (ended + endedInKernel) * TICK_US };
}

async function readStats(): Promise<readonly Stat[]> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name)).map(Number);
  const stats = await Promise.all(
    pids.map(async (pid) => {
      const text = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => undefined);
      return text === undefined ? [] : [parseStat(pid, text)];
    }),
  );
  return stats.flat();
}

function treeOf(root: number, stats: readonly Stat[]): readonly Stat[] {
  const below = (pid: number): readonly Stat[] =>
    stats.filter((stat) => stat.parent === pid).flatMap((stat) => [stat, ...below(stat.pid)]);
  return [...stats.filter(({ pid }) => pid === root), ...below(root)];
}

function endedTime(tree: readonly Stat[]): number {
  return tree.reduce((sum, { endedUs }) => sum + endedUs, 0);
}

/** Returns the microseconds of all threads of a running process. */
async function runningTime(pid: number): Promise<number> {
  const folder = `/proc/${pid}/task`;
  const threads = await readdir(folder).catch(() => []);
  const times = await Promise.all(
    threads.map(async (thread) => {
      const text = await readFile(`${folder}/${thread}/schedstat`, 'utf8').catch(() => '0');
      return Number(text.split(' ')[0]) / 1000;
    }),
  );
  return times.reduce((sum, time) => sum + time, 0);
}
