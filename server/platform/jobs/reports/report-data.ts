/** A row of a report. Numbers are decimal text, times are ISO 8601. */
export type ReportRow = Readonly<Record<string, string | boolean | null>>;

export type ReportKind = 'portfolio' | 'fund' | 'transactions' | 'tax' | 'compliance' | 'audit';

/** The subject and the period of a report. */
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
  /** Rows by the name of their table. The database functions for reports define the tables of each kind. */
  readonly rows: Readonly<Record<string, readonly ReportRow[]>>;
}
