import type pg from 'pg';

/** The value of a wallet for each day. */
export interface Series {
  /** The owner's label of the wallet; may be empty. */
  readonly label: string;
  /** The ticker of its coin. */
  readonly coin: string;
  /** The day of the first total, in ISO 8601. */
  readonly firstDay: string;
  /** One total in cents for each day up to today in UTC; undefined for unknown days. */
  readonly totals: readonly (bigint | undefined)[];
}

/** The currency of all totals. */
export const currency = 'USD';

interface Row {
  readonly label: string;
  readonly coin: string;
  readonly first_day: string;
  readonly totals: readonly (string | null)[];
}

/** Returns true when the wallet exists and the person owns it. */
export async function ownsWallet(pool: pg.Pool, wallet: string, owner: string): Promise<boolean> {
  const { rows } = await pool.query<{ readonly owns: boolean }>({
    name: 'owns_wallet',
    text: 'select rowgate_documents.owns_wallet($1, $2) as owns',
    values: [wallet, owner],
  });
  return rows[0]?.owns === true;
}

/** Reads the last days of a wallet; undefined unless the person owns it. */
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

/** Converts a total to cents exactly. The column has two decimals. */
function centsOf(total: string | null): bigint | undefined {
  return total === null ? undefined : BigInt(total.replace('.', ''));
}
