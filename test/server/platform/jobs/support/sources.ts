import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A server that answers as the public ones do, or does not. */
export interface FakeSource {
  readonly url: string;
  /** What was asked, path and query. */
  readonly asked: string[];
  /** What it answers from now on. */
  answer: (request: IncomingMessage, response: ServerResponse) => void;
  stop(): Promise<void>;
}

export async function startSource(
  answer: FakeSource['answer'] = (_request, response) => response.writeHead(503).end(),
): Promise<FakeSource> {
  const source = {
    url: '',
    asked: [] as string[],
    answer,
    stop: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  const server = createServer((request, response) => {
    source.asked.push(request.url ?? '');
    source.answer(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  source.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return source;
}

/** Answers with a text. */
export function saying(text: string, status = 200): FakeSource['answer'] {
  return (_request, response) =>
    response.writeHead(status, { 'content-type': 'application/json' }).end(text);
}

/** By path and query; everything else is what an exchange says of what it does not know. */
export function answering(
  texts: Readonly<Record<string, string>>,
  unknown: { readonly status: number; readonly text: string },
): FakeSource['answer'] {
  return (request, response) => {
    const text = texts[request.url ?? ''];
    response.writeHead(text === undefined ? unknown.status : 200).end(text ?? unknown.text);
  };
}

export function coinbaseSays(
  prices: Readonly<Record<string, string>>,
  time = new Date(),
): FakeSource['answer'] {
  const texts = Object.entries(prices).map(([coin, price]) => [
    `/products/${coin}-USD/ticker`,
    JSON.stringify({
      ask: price,
      bid: price,
      volume: '6534.66',
      trade_id: 86326522,
      price,
      size: '0.00698254',
      time: time.toISOString(),
    }),
  ]);
  return answering(Object.fromEntries(texts), { status: 404, text: '{"message":"NotFound"}' });
}

export function krakenSays(prices: Readonly<Record<string, string>>): FakeSource['answer'] {
  const texts = Object.entries(prices).map(([pair, price]) => [
    `/0/public/Ticker?pair=${pair}`,
    JSON.stringify({
      error: [],
      result: { [`X${pair}Z`]: { a: [price, '1', '1.000'], c: [price, '0.00080000'], t: [1, 2] } },
    }),
  ]);
  const text = '{"error":["EQuery:Unknown asset pair"]}';
  return answering(Object.fromEntries(texts), { status: 200, text });
}

export function binanceSays(prices: Readonly<Record<string, string>>): FakeSource['answer'] {
  const texts = Object.entries(prices).map(([symbol, price]) => [
    `/api/v3/ticker/price?symbol=${symbol}`,
    JSON.stringify({ symbol, price }),
  ]);
  const text = '{"code":-1121,"msg":"Invalid symbol."}';
  return answering(Object.fromEntries(texts), { status: 400, text });
}

/** By CoinGecko's ids; prices are numbers as they stand in the answer. */
export function coingeckoSays(
  prices: Readonly<Record<string, string>>,
  time = Date.now(),
): FakeSource['answer'] {
  const entries = Object.entries(prices).map(
    ([id, price]) => `"${id}":{"usd":${price},"last_updated_at":${Math.floor(time / 1000)}}`,
  );
  return saying(`{${entries.join(',')}}`);
}

/** The bank's daily document. */
export function ecbSays(day: string, rates: Readonly<Record<string, string>>): string {
  const cubes = Object.entries(rates).map(
    ([currency, rate]) => `\t\t\t<Cube currency='${currency}' rate='${rate}'/>`,
  );
  return `<?xml version="1.0" encoding="UTF-8"?>
<gesmes:Envelope xmlns:gesmes="http://www.gesmes.org/xml/2002-08-01" xmlns="http://www.ecb.int/vocabulary/2002-08-01/eurofxref">
\t<gesmes:subject>Reference rates</gesmes:subject>
\t<gesmes:Sender><gesmes:name>European Central Bank</gesmes:name></gesmes:Sender>
\t<Cube>
\t\t<Cube time='${day}'>
${cubes.join('\n')}
\t\t</Cube>
\t</Cube>
</gesmes:Envelope>`;
}
