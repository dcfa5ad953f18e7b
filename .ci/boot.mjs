// Starts the server of this checkout without configuration, sends one query, and stops it.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';

const timeoutMs = 120_000;

const port = await vacantPort();
const server = spawn(process.execPath, ['bin/rowgate.js', 'serve'], {
  env: { PORT: String(port) },
  stdio: ['ignore', 'inherit', 'inherit'],
});
const ended = once(server, 'exit');
try {
  await until(async () => (await fetch(`http://127.0.0.1:${port}/healthz`)).ok);
  const organizations = await ask('{ organization { name } }');
  if (!organizations?.data?.organization?.length) {
    throw new Error(`unexpected answer: ${JSON.stringify(organizations)}`);
  }
  server.kill('SIGTERM');
  const [code, signal] = await ended;
  if (code !== 0) throw new Error(`the server ended with ${code ?? signal}`);
  process.stdout.write('the server starts, answers and stops\n');
} finally {
  server.kill('SIGKILL');
  removeCluster();
}

async function vacantPort() {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const { port } = probe.address();
  probe.close();
  return port;
}

async function until(holds) {
  const deadline = Date.now() + timeoutMs;
  while (!(await holds().catch(() => false))) {
    if (server.exitCode !== null) throw new Error(`the server ended with ${server.exitCode}`);
    if (Date.now() > deadline) throw new Error('the server is not healthy in time');
    await delay(200);
  }
}

async function ask(query) {
  const response = await fetch(`http://127.0.0.1:${port}/v1/graphql`, {
    method: 'POST',
    headers: {
      'Content-Type': 'application/json',
      'X-Gql-Admin-Secret': readFileSync('.rowgate/admin-secret', 'utf8').trim(),
    },
    body: JSON.stringify({ query }),
  });
  return response.json();
}

/** Removes the cluster, which is outside of the checkout when the checkout is in a private folder of root. */
function removeCluster() {
  const record = '.rowgate/postgres.json';
  const { folder } = existsSync(record) ? JSON.parse(readFileSync(record, 'utf8')) : {};
  if (folder !== undefined) rmSync(folder, { recursive: true, force: true });
}
