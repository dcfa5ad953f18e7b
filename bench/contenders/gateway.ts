import { monitorEventLoopDelay } from 'node:perf_hooks';
import { serveGateway } from './serve-gateway.ts';

// Answers each message of the parent process with the peaks of memory and event-loop delay since the previous message.
const delays = monitorEventLoopDelay({ resolution: 5 });
delays.enable();
process.on('message', () => {
  process.send?.({
    eventLoopMs: delays.max / 1e6,
    residentMiB: process.memoryUsage.rss() / 2 ** 20,
  });
  delays.reset();
});
await serveGateway();
