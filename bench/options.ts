import path from 'node:path';
import { parseArgs } from 'node:util';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    out: { type: 'string', default: path.join(import.meta.dirname, '../bench-results') },
    short: { type: 'boolean', default: false },
  },
});
const environment = process.env;

/** The benchmarks to run; all when empty. */
export const selected: readonly string[] = positionals;

/** The folder for result files. */
export const out = path.resolve(values.out);

/** Whether to check only that the benchmark works: one small round. */
export const short = values.short;

/** How often each measurement is repeated. */
export const rounds = Number(environment.ROWGATE_BENCH_ROUNDS ?? (short ? 1 : 5));

/** Another checkout with installed packages, whose server is measured in the same rounds. */
export const before = environment.ROWGATE_BENCH_BEFORE || undefined;

/** The numbers of connections for all operations; undefined: those of the throughput benchmark. */
export const connections = list('CONNECTIONS')?.map(Number);

/** The operations and contenders to measure; undefined: all. */
export const operationNames = list('OPERATIONS');
export const contenderNames = list('CONTENDERS');

export const soakSeconds = Number(environment.ROWGATE_BENCH_SOAK_SECONDS ?? 300);

function list(name: string): readonly string[] | undefined {
  return environment[`ROWGATE_BENCH_${name}`]?.split(',').map((item) => item.trim());
}
