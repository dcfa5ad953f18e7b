/*
 * Repeats one attack in a separate process until the parent requests a stop. Then it reports the number of each outcome.
 */
import { connect, type Socket } from 'node:net';
import { type AttackSettings, attacks, headersOf, post } from './attacks.ts';

const { name, port, secret } = JSON.parse(process.env.ROWGATE_BENCH ?? '{}') as AttackSettings;
const attack = attacks.find((one) => one.name === name);
if (!attack) throw new Error(`no attack is called ${name}`);

const outcomes = new Map<string, number>();
const note = (outcome: string) => {
  if (!outcomes.has(outcome)) process.send?.(outcome);
  outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
};
const headers = headersOf(secret, 0);
const end = new AbortController();

async function sendOverAndOver({ body }: NonNullable<typeof attack>): Promise<void> {
  for (let turn = 0; !end.signal.aborted; turn += 1) {
    const text = await post(port, headers, body(turn), end.signal).catch(() => undefined);
    if (text === undefined) continue;
    note(/"code":"([a-z-]+)"/.exec(text.slice(0, 2000))?.[1] ?? 'answered');
  }
}

function askAndTakeNothing(body: string): Socket {
  const socket = connect(port, '127.0.0.1');
  const length = { 'content-length': String(Buffer.byteLength(body)) };
  const lines = Object.entries({ ...headers, ...length }).map(([key, value]) => `${key}: ${value}`);
  socket.on('error', () => note('cut off'));
  socket.write(
    `POST /v1/graphql HTTP/1.1\r\nhost: localhost\r\n${lines.join('\r\n')}\r\n\r\n${body}`,
  );
  return socket;
}

const workers = Array.from({ length: attack.atOnce }, () => sendOverAndOver(attack));
const stuck = Array.from({ length: attack.stuckClients ?? 0 }, (_, index) =>
  askAndTakeNothing(attack.body(index)),
);
process.send?.('begun');
process.on('message', async () => {
  end.abort();
  for (const socket of stuck) socket.destroy();
  await Promise.all(workers);
  process.send?.([...outcomes], () => process.exit());
});
