/*
 * `npm run bench` runs all benchmarks one after the other. `npm run bench -- start-up` runs only the named ones.
 * `--out` names the folder for result files.
 * `live --short` and `console --short` check within minutes that these benchmarks work.
 */
import { selected } from './options.ts';

const benchmarks = [
  'throughput',
  'hostile',
  'identity',
  'documents',
  'rules',
  'events',
  'live',
  'large-project',
  'console',
  'start-up',
  'soak',
] as const;

const unknown = selected.filter((name) => !benchmarks.some((one) => one === name));
if (unknown.length > 0) {
  console.error(`no benchmark is called ${unknown.join(', ')}; there are ${benchmarks.join(', ')}`);
  process.exitCode = 2;
} else {
  for (const name of benchmarks) {
    if (selected.length > 0 && !selected.includes(name)) continue;
    console.log(`\n== ${name}`);
    await import(`./${name}.ts`);
  }
}
