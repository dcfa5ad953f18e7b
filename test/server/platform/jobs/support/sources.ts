import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A server that answers like the public sources of prices and rates. */
export interface FakeSource {
  readonly url: string;
  /** The requests that the server has received, as path and query. */
  readonly requests: string[];
  /** The function that answers requests. A test replaces it to change all later answers. */
  answer: (request: IncomingMessage, response: ServerResponse) => void;
  stop(): Promise<void>;
}

export async function startSource(
  answer: FakeSource['answer'] = (_request, response) => response.writeHead(503).end(),
): Promise<FakeSource> {
  const source = {
    url: '',
    requests: [] as string[],
    answer,
    stop: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  const server = createServer((request, response) => {
    source.requests.push(request.url ?? '');
    source.answer(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  source.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return source;
}

/** Makes a function that answers every request with this text. */
export function saying(text: string, status = 200): FakeSource['answer'] {
  return (_request, response) =>
    response.writeHead(status, { 'content-type': 'application/json' }).end(text);
}

/**
 * Makes a function that answers by path and query. Any other request gets the answer for a market that the exchange
 * does not know.
 */
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

/**
 * Makes an answer of CoinGecko, by its coin ids. Prices are JSON numbers as text, so that they keep
 * their digits.
 */
export function coingeckoSays(
  prices: Readonly<Record<string, string>>,
  time = Date.now(),
): FakeSource['answer'] {
  const entries = Object.entries(prices).map(
    ([id, price]) => `"${id}":{"usd":${price},"last_updated_at":${Math.floor(time / 1000)}}`,
  );
  return saying(`{${entries.join(',')}}`);
}

/** Makes the XML document of the European Central Bank for a day. */
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
