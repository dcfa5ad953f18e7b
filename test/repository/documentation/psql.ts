// Replaces psql, which may not be installed. Supports two forms: psql URL -f FILE, and psql URL -c SQL.
import { readFileSync } from 'node:fs';
import pg from 'pg';

const [connectionString, option, value = ''] = process.argv.slice(2);
if (option !== '-f' && option !== '-c') throw new Error(`unknown option ${option}`);
const client = new pg.Client({ connectionString });
await client.connect();
await client.query(option === '-f' ? readFileSync(value, 'utf8') : value);
await client.end();
