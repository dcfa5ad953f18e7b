import pg from 'pg';
import { afterAll, expect, onTestFinished, test } from 'vitest';
import { applyMetadata } from '../../../../../permissions/index.ts';
import { withLogin } from '../../../../../server/db/url.ts';
import { removeMetadata, writeMetadata } from '../../../../permissions/support/metadata-files.ts';
import { startScratchCluster } from '../../../../support/scratch-cluster.ts';
import { until } from '../../../../support/until.ts';
import { makeReader, rules, schema, watch } from './readers.ts';

afterAll(removeMetadata);

const connect = async (url: string) => {
  const client = new pg.Client({ connectionString: url });
  client.on('error', () => {});
  await client.connect();
  return client;
};

test('after a crash of Postgres, which empties the record of changes, the reader reports that changes may be missing, and then every change', async () => {
  const cluster = await startScratchCluster();
  onTestFinished(() => cluster.remove());
  const owner = await connect(cluster.superuserUrl);
  await owner.query(schema);
  await applyMetadata(owner, {
    ...{ metadata: await writeMetadata(rules), rolePrefix: 'c_', headerPrefix: 'X-Gql-' },
    password: 'of a test',
  });
  const reader = makeReader(withLogin(cluster.superuserUrl, 'c_gateway_login', 'of a test'));
  onTestFinished(() => reader.close());
  const one = await watch(reader);
  await owner.query('insert into item values (1)');
  await until(async () => one.keys().includes('id=1'));
  const backend = await owner.query<{ pid: number; started: string }>(
    'select pg_backend_pid() as pid, pg_postmaster_start_time()::text as started',
  );
  // Clusters of tests commit asynchronously.
  await owner.query('checkpoint');
  const before = one.reports.length;
  // Postgres restarts when a backend dies so. The postmaster itself goes on.
  process.kill(backend.rows[0]?.pid ?? 0, 'SIGKILL');
  // Until the postmaster notices, the reader can go on.
  const gaps = () => one.reports.slice(before).filter(({ isComplete }) => !isComplete);
  await until(async () => gaps().length > 0);
  const found = one.reports.length;
  await until(async () => one.reports.length > found + 3);
  expect(gaps()).toHaveLength(1);
  const again = await connect(cluster.superuserUrl);
  await again.query('insert into item values (2)');
  await until(async () => one.keys().includes('id=2'));
  const { rows } = await again.query('select pg_postmaster_start_time()::text as started');
  expect(rows).toEqual([{ started: backend.rows[0]?.started }]);
  await again.end();
});
