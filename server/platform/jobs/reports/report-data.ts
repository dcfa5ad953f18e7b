/** A row as the database tells it: numbers are decimal text, times ISO 8601. */
export type ReportRow = Readonly<Record<string, string | boolean | null>>;

export type ReportKind = 'portfolio' | 'fund' | 'transactions' | 'tax' | 'compliance' | 'audit';

/** What a report is on. */
export interface ReportHead {
  readonly id: string;
  readonly kind: ReportKind;
  readonly title: string;
  /** The first and the last day. */
  readonly from: string;
  readonly to: string;
  readonly organization: {
    readonly name: string;
    readonly address: string | null;
    readonly taxNumber: string | null;
  };
  readonly person: { readonly name: string | null; readonly email: string } | null;
  readonly fund: {
    readonly name: string;
    readonly currency: string;
    readonly status: string;
  } | null;
}

export interface ReportData {
  readonly head: ReportHead;
  /** By what they are rows of; the database's functions of reports say which there are for each kind. */
  readonly rows: Readonly<Record<string, readonly ReportRow[]>>;
}
