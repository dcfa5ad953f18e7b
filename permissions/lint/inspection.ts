import type pg from 'pg';
import { type Diagnostic, Report } from '../diagnostics.ts';
import { compiledRoles } from '../objects/roles/role.ts';
import type { Seen } from '../plan/prepare.ts';
import { systemRoles } from '../text/object-names.ts';

/** The input of a lint that reads the database, and the report to which the lint adds findings. */
export interface Inspection {
  /** A connection inside a transaction with a pinned search_path. */
  readonly client: pg.ClientBase;
  readonly seen: Seen;
  readonly report: Report;
}

/** A lint that reads the database. It should run as few queries as possible, because check and apply run all lints. */
export type DatabaseRule = (inspection: Inspection) => Promise<void>;

export async function followRules(
  rules: readonly DatabaseRule[],
  client: pg.ClientBase,
  seen: Seen,
): Promise<readonly Diagnostic[]> {
  const report = new Report();
  for (const rule of rules) await rule({ client, seen, report });
  return report.diagnostics;
}

/** Returns the names of Rowgate's roles: every Postgres role that requests use, and the login of the gateway. */
export function ourRoles({ loaded, login }: Seen): readonly string[] {
  const { gateway, policy } = systemRoles(loaded.model);
  return [...compiledRoles(loaded.model), gateway, policy, login.name];
}

/** Returns the schemas that hold tables with rules. Compiled roles may use these schemas. */
export function managedSchemas({ loaded }: Seen): readonly string[] {
  return [...new Set([...loaded.model.tables.values()].map((table) => table.schema))];
}
