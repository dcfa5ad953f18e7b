import { expect, test } from 'vitest';
import type { ServerContext } from '../../../../server/cli/command-context.ts';
import { liveStatsCommand } from '../../../../server/graphql/subscriptions/live-stats-command.ts';
import { createDatabase } from '../../../support/database.ts';
import { startTestServer } from '../../../support/http.ts';
import { RawSocket } from '../websocket/support/raw-socket.ts';
import { subscribe } from './support/tenants.ts';

/** Runs the command with the settings of a server. Returns the lines that it prints. */
async function stats(config: Partial<ServerContext['config']>): Promise<readonly string[]> {
  const lines: string[] = [];
  const context = { config, print: (line: string) => void lines.push(line) };
  await liveStatsCommand.run({}, [], context as unknown as ServerContext);
  return lines;
}

const notLive =
  /^not live {2}public\.organization: \d+ fetches .*; "live: true" in its file replaces them by reports$/;

test('rowgate live stats shows the subscriptions of a server that serves only GraphQL, and the tables that it polls', async () => {
  const database = await createDatabase({ from: 'applied' });
  const environment = {
    ROWGATE_METRICS_TOKEN: 'm'.repeat(16),
    ROWGATE_SUBSCRIPTION_POLL: '1',
  };
  const server = await startTestServer({ database, environment });
  const socket = new RawSocket(server.url);
  await socket.init({ 'X-Gql-Admin-Secret': server.adminSecret });
  for (const id of ['a', 'b']) {
    socket.send(subscribe(id, 'subscription { organization { id } }'));
    await socket.next();
  }
  const config = { ...server.config, baseUrl: server.url };
  const shown = await stats(config);
  expect(shown[0]).toBe('subscriptions  2 live queries in 1 cohorts  0 streams');
  expect(shown[3]).toBe('messages  2 of live queries  0 of streams');
  await expect.poll(async () => (await stats(config))[5]).toMatch(notLive);
  const without = { ...config, events: { ...config.events, metricsTokens: [] } };
  await expect(stats(without)).rejects.toThrow('ROWGATE_METRICS_TOKEN is not set');
  const wrong = { ...config, events: { ...config.events, metricsTokens: ['x'.repeat(16)] } };
  await expect(stats(wrong)).rejects.toThrow('it answers with status 401');
  socket.end();
  await server.stop();
  await database.drop();
});
