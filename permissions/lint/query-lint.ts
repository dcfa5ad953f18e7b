import type pg from 'pg';
import type { DiagnosticCode, Position, Severity } from '../diagnostics.ts';
import type { Seen } from '../plan/prepare.ts';
import type { DatabaseRule } from './inspection.ts';

interface Question {
  readonly query: string;
  /** Returns the parameters of the query. Undefined when this database does not need the query. */
  readonly values?: (seen: Seen) => readonly unknown[] | undefined;
}

/** Turns a row of the query's result into a finding. */
interface Finding<Row> {
  /** Whether a row is reported. Default: every row is. */
  readonly when?: (row: Row) => boolean;
  readonly severity: Severity | ((row: Row) => Severity);
  readonly code: DiagnosticCode;
  readonly position?: (row: Row, seen: Seen) => Position | undefined;
  readonly message: (row: Row) => string;
  readonly hint: (row: Row) => string;
  /** Statements that a superuser runs to fix it; default none. */
  readonly statements?: (row: Row) => readonly string[];
}

/** Makes a lint that runs one query and reports each row of its result as a finding. */
export function queryLint<Row extends pg.QueryResultRow>(
  { query, values = () => [] }: Question,
  ...findings: readonly Finding<Row>[]
): DatabaseRule {
  return async ({ client, seen, report }) => {
    const given = values(seen);
    if (!given) return;
    const { rows } = await client.query<Row>(query, [...given]);
    for (const row of rows) {
      for (const { when, severity, code, position, message, hint, statements } of findings) {
        if (when && !when(row)) continue;
        const place = position?.(row, seen);
        report.add({
          code,
          severity: typeof severity === 'string' ? severity : severity(row),
          message: message(row),
          hint: hint(row),
          ...(place && { position: place }),
          ...(statements && { statements: statements(row) }),
        });
      }
    }
  };
}
