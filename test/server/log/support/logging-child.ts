import { asyncDestination } from '../../../../server/log/async-destination.ts';
import { makeLogger } from '../../../../server/log/log.ts';

/** Writes as many lines to the log as the second argument says, and then ends as the first one says. */
const [, , end = '', lines = '0'] = process.argv;
const logger = makeLogger({ logLevel: 'info', headerPrefix: 'X-Gql-' }, asyncDestination());
for (let line = 1; line <= Number(lines); line += 1) logger.info({ line }, 'a line of the test');
logger.info('the last line');

const ends: Readonly<Record<string, () => void>> = {
  'an uncaught exception': () => {
    throw new Error('of the test');
  },
  'an unhandled rejection': () => void Promise.reject(new Error('of the test')),
  'process.exit': () => process.exit(3),
  'no more work': () => {},
  'a signal': () => setInterval(() => {}, 1000),
};
setImmediate(() => ends[end]?.());
