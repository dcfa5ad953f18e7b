// A worker in a process of its own, which can be killed, until it is told to stop; its orders are JSON in WORKER.
import { workAsOrdered } from './ordered-worker.ts';

const worker = await workAsOrdered(JSON.parse(process.env.WORKER ?? '{}'));
process.once('SIGTERM', () => worker.close());
process.stdout.write('works\n');
