// Starts the embedded Postgres of a data folder in a process of its own, prints its addresses, and stops it on SIGTERM.
import pino from 'pino';
import { startEmbedded } from '../../server/db/embedded/start-embedded.ts';

const logger = pino({ level: 'silent' });
const cluster = await startEmbedded({ dataDir: process.argv[2] ?? '', logger });
const alive = setInterval(() => {}, 60_000);
process.once('SIGTERM', async () => {
  await cluster.stop();
  clearInterval(alive);
});
const { ownerUrl, superuserUrl, folder } = cluster;
process.stdout.write(`${JSON.stringify({ ownerUrl, superuserUrl, folder })}\n`);
