// Replaces psql, which may not be installed. Supports three forms: psql URL -f FILE, psql URL -c SQL, and
// PGUSER=… PGPASSWORD=… psql --csv -c SQL, which logs in to the database of the page and prints rows.
import { readFileSync } from 'node:fs';
import pg from 'pg';
import { withLogin } from '../../../server/db/url.ts';

const { DATABASE_URL = '', PGUSER = '', PGPASSWORD = '' } = process.env;
const [target, option, value = ''] = process.argv.slice(2);
if (option !== '-f' && option !== '-c') throw new Error(`unknown option ${option}`);
const prints = target === '--csv';
const connectionString = prints ? withLogin(DATABASE_URL, PGUSER, PGPASSWORD) : target;
const client = new pg.Client({ connectionString });
await client.connect();
const { rows, fields } = await client.query(option === '-f' ? readFileSync(value, 'utf8') : value);
const lines = prints ? [fields.map(({ name }) => name), ...rows.map(Object.values)] : [];
for (const cells of lines) process.stdout.write(`${cells.join(',')}\n`);
await client.end();
