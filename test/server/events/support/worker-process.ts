// A worker in its own process, so that a test can kill it. WORKER contains its options as JSON. It
// runs until a signal ends it.
import { workAsOrdered } from './ordered-worker.ts';

const worker = await workAsOrdered(JSON.parse(process.env.WORKER ?? '{}'));
process.once('SIGTERM', () => worker.close());
process.stdout.write('works\n');
