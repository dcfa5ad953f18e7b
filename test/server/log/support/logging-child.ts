import { asyncDestination } from '../../../../server/log/async-destination.ts';
import { makeLogger } from '../../../../server/log/log.ts';

/** Writes lines to the log and ends as the argument says. The lines are longer than what is written together. */
const logger = makeLogger({ logLevel: 'info', headerPrefix: 'X-Gql-' }, asyncDestination());
for (let line = 1; line <= 400; line += 1) logger.info({ line }, 'a line of the test');
logger.info('the last line');

const ends: Readonly<Record<string, () => void>> = {
  'an uncaught exception': () => {
    throw new Error('of the test');
  },
  'an unhandled rejection': () => void Promise.reject(new Error('of the test')),
  'process.exit': () => process.exit(3),
  'no more work': () => {},
  // Ends the process after the timer that writes the lines.
  'a later SIGKILL': () => setInterval(() => {}, 1000),
};
setImmediate(() => ends[process.argv[2] ?? '']?.());
