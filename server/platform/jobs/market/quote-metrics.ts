import type pg from 'pg';
import type pino from 'pino';
import { Gauge, type Registry } from 'prom-client';
import { recent } from '../../../events/metrics/recent.ts';
import { loggedReason } from '../../../log/log-error.ts';

export interface QuoteMetricsOptions {
  /** Receives the metrics. */
  readonly registry: Registry;
  /** Connections of the sidecar login. */
  readonly pool: pg.Pool;
  readonly logger: pino.Logger;
}

/** The newest price of a coin, or the newest rate of a currency. */
interface Quote {
  /** For example `BTC/USD`. */
  readonly pair: string;
  readonly source: string;
  readonly value: number;
  readonly ageSeconds: number;
}

/** Adds the newest price of each coin and the newest rate of each pair of currencies to the metrics. */
export function addQuoteMetrics({ registry, pool, logger }: QuoteMetricsOptions): void {
  const quotes = recent(
    () => readQuotes(pool),
    (error) => logger.warn({ reason: loggedReason(error) }, 'cannot read the newest prices'),
  );
  const gauge = (name: string, help: string, read: (quote: Quote) => number) =>
    new Gauge({
      ...{ name, help, labelNames: ['pair', 'source'] as const, registers: [registry] },
      async collect() {
        this.reset();
        for (const quote of (await quotes()) ?? []) {
          const { pair, source } = quote;
          this.set({ pair, source }, read(quote));
        }
      },
    });
  gauge('rowgate_quote', 'The newest price of a coin or rate of a currency', ({ value }) => value);
  gauge(
    'rowgate_quote_age_seconds',
    'Seconds since the time for which the newest price or rate is valid',
    ({ ageSeconds }) => ageSeconds,
  );
}

async function readQuotes(pool: pg.Pool): Promise<readonly Quote[]> {
  const { rows } = await pool.query<Quote>(
    `select pair, source, value::float8 as value, age_seconds as "ageSeconds" from rowgate_jobs.newest_quotes()`,
  );
  return rows;
}
