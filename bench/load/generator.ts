/*
 * Sends load in a process of its own. The parent names a target, then a duration, and receives the figures.
 */
import { quantile } from '../measure.ts';
import { Connection } from './connection.ts';
import type { Command, Rates, Reply } from './load.ts';
import { checkAnswer, type ReadyExchange, readyExchanges } from './target.ts';

const WARM_UP_MS = 200;

let exchanges: readonly ReadyExchange[] = [];
let connections: readonly Connection[] = [];

async function run(milliseconds: number): Promise<Rates> {
  const times: number[] = [];
  const began = performance.now();
  const end = began + milliseconds;
  let turn = 0;
  const repeat = async (connection: Connection) => {
    for (let sent = performance.now(); sent < end; ) {
      const exchange = exchanges[turn % exchanges.length];
      if (!exchange) throw new Error('the target has no requests');
      turn += 1;
      checkAnswer(await connection.exchange(exchange.request), exchange);
      const answered = performance.now();
      times.push(answered - sent);
      sent = answered;
    }
  };
  await Promise.all(connections.map(repeat));
  const perSecond = (times.length * 1000) / (performance.now() - began);
  const [p50Ms, p99Ms] = [quantile(times, 0.5), quantile(times, 0.99)];
  return { requests: times.length, perSecond, p50Ms, p99Ms };
}

async function follow(command: Command): Promise<Reply> {
  if ('milliseconds' in command) {
    const rates = await run(command.milliseconds);
    for (const connection of connections) connection.close();
    return { rates };
  }
  const { target, count } = command;
  exchanges = readyExchanges(target);
  connections = await Promise.all(
    Array.from({ length: count }, () => Connection.open(target.port)),
  );
  await run(WARM_UP_MS);
  return {};
}

process.on('message', async (command: Command) => {
  const reply = await follow(command).catch((error: unknown) => ({ failure: String(error) }));
  process.send?.(reply);
});
process.on('disconnect', () => process.exit());
