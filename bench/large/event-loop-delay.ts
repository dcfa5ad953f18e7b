/* Loaded into the measured server with --import. After SIGUSR2 it prints the largest delay of the event loop so far. */
import { monitorEventLoopDelay } from 'node:perf_hooks';

const delays = monitorEventLoopDelay({ resolution: 1 });
delays.enable();
process.on('SIGUSR2', () => {
  process.stderr.write(`largest event-loop delay: ${(delays.max / 1e6).toFixed(1)} ms\n`);
  delays.reset();
});
