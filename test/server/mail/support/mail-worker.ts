import pino from 'pino';
import { workMail } from '../../../../server/mail/work-mail.ts';
import { openQueue } from '../../../../server/queue/open-queue.ts';
import { openPool } from '../../../support/open-pool.ts';
import { parsePlatformConfig } from '../../../support/platform.ts';

// A mail worker in a separate process, so that tests can kill it. Its arguments are a database URL
// and the environment as JSON.
const [url = '', environment = '{}'] = process.argv.slice(2);
const { config } = parsePlatformConfig(JSON.parse(environment), '/nonexistent');
const logger = pino({ level: 'silent' });
const pool = openPool({ connectionString: url });
const queue = await openQueue({ url, works: true, logger });
const { brand } = config.documents;
await workMail({ pool, queue, config: config.mail, brand, logger });
