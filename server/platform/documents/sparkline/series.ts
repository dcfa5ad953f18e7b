import type pg from 'pg';

/** What a wallet was worth, day by day. */
export interface Series {
  /** What its owner calls the wallet; may be empty. */
  readonly label: string;
  /** The ticker of its coin. */
  readonly coin: string;
  /** ISO 8601, of the first total. */
  readonly firstDay: string;
  /** In cents, one a day up to the present one, in UTC; undefined where it is not known. */
  readonly totals: readonly (bigint | undefined)[];
}

/** The one currency that totals are kept in. */
export const currency = 'USD';

interface Row {
  readonly label: string;
  readonly coin: string;
  readonly first_day: string;
  readonly totals: readonly (string | null)[];
}

/** Whether the wallet is there and is the person's. */
export async function ownsWallet(pool: pg.Pool, wallet: string, owner: string): Promise<boolean> {
  const { rows } = await pool.query<{ readonly owns: boolean }>({
    name: 'owns_wallet',
    text: 'select rowgate_documents.owns_wallet($1, $2) as owns',
    values: [wallet, owner],
  });
  return rows[0]?.owns === true;
}

/** The last days of a wallet; undefined for everybody but its owner. */
export async function readSeries(
  pool: pg.Pool,
  wallet: string,
  owner: string,
  days: number,
): Promise<Series | undefined> {
  const { rows } = await pool.query<Row>({
    name: 'wallet_series',
    text: `select s.label, s.coin, s.first_day::text, s.totals
      from rowgate_documents.wallet_series($1, $2, $3) s`,
    values: [wallet, owner, days],
  });
  const [row] = rows;
  if (!row) return undefined;
  const { label, coin, first_day: firstDay } = row;
  return { label, coin, firstDay, totals: row.totals.map((total) => centsOf(total)) };
}

/** Exact, however large: two digits follow the point, as the column has them. */
function centsOf(total: string | null): bigint | undefined {
  return total === null ? undefined : BigInt(total.replace('.', ''));
}
