/*
 * `npm run bench`: every benchmark, one after the other; `npm run bench -- start-up` and so on: that one.
 */
const benchmarks = [
  'throughput',
  'hostile',
  'identity',
  'documents',
  'events',
  'large-project',
  'start-up',
] as const;

const wanted = process.argv.slice(2);
const unknown = wanted.filter((name) => !benchmarks.some((one) => one === name));
if (unknown.length > 0) {
  console.error(`no benchmark is called ${unknown.join(', ')}; there are ${benchmarks.join(', ')}`);
  process.exitCode = 2;
} else {
  for (const name of benchmarks) {
    if (wanted.length > 0 && !wanted.includes(name)) continue;
    console.log(`\n== ${name}`);
    await import(`./${name}.ts`);
  }
}
