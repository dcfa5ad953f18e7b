import pino from 'pino';
import { workCallbacks } from '../../../../../../server/platform/webhooks/callbacks/process/work-callbacks.ts';
import { openQueue } from '../../../../../../server/queue/open-queue.ts';
import { makeFormat } from '../../../../../../server/rendering/format.ts';
import { openPool } from '../../../../../support/open-pool.ts';

// A callback worker in a separate process, so that tests can kill it. Its argument is the URL of
// the sidecar login.
const [url = ''] = process.argv.slice(2);
const logger = pino({ level: 'silent' });
const pool = openPool({ connectionString: url, application_name: 'doomed worker' });
const queue = await openQueue({ url, works: true, logger });
const mailer = { post: async () => {} };
await workCallbacks({ pool, queue, mailer, format: makeFormat('en-GB'), logger });
