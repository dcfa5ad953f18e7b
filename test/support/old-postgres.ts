import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';

/** A message of the Postgres protocol: a letter, the length and the body. */
function message(letter: string, ...parts: readonly Buffer[]): Buffer {
  const body = Buffer.concat(parts);
  const head = Buffer.alloc(5);
  head.write(letter);
  head.writeInt32BE(body.length + 4, 1);
  return Buffer.concat([head, body]);
}

const int16 = (value: number) => Buffer.from([value >> 8, value & 0xff]);
const int32 = (value: number) => Buffer.from([0, 0, value >> 8, value & 0xff]);
const text = (value: string) => Buffer.from(`${value}\0`);

const welcome = Buffer.concat([message('R', int32(0)), message('Z', Buffer.from('I'))]);

function column(name: string): Buffer {
  return Buffer.concat([text(name), int32(0), int16(0), int32(25), int16(0), int32(0), int16(0)]);
}

function row(...values: readonly string[]): Buffer {
  const cells = values.map((value) => Buffer.concat([int32(value.length), Buffer.from(value)]));
  return message('D', int16(values.length), ...cells);
}

/** Starts a server that accepts every login and answers every statement like an unsupported old Postgres. */
export async function startOldPostgres(): Promise<{ readonly url: string; close(): void }> {
  const answer = Buffer.concat([
    message('T', int16(2), column('number'), column('version')),
    row('130014', '13.14'),
    message('C', text('SELECT 1')),
    message('Z', Buffer.from('I')),
  ]);
  const server = createServer((socket) => {
    socket.once('data', () => {
      socket.write(welcome);
      socket.on('data', (data) => data.toString('latin1').startsWith('Q') && socket.write(answer));
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return { url: `postgres://someone@127.0.0.1:${port}/app`, close: () => server.close() };
}
