import type pg from 'pg';
import { type Diagnostic, Report } from '../diagnostics.ts';
import { compiledRoles } from '../objects/roles/role.ts';
import type { Seen } from '../plan/prepare.ts';
import { systemRoles } from '../text/object-names.ts';

/** What a lint of the database inspects, and its report. */
export interface Inspection {
  /** Inside a transaction with a pinned search_path. */
  readonly client: pg.ClientBase;
  readonly seen: Seen;
  readonly report: Report;
}

/** A lint of the database, which runs as few queries as possible. */
export type DatabaseRule = (inspection: Inspection) => Promise<void>;

/** Runs lints one after the other. */
export async function followRules(
  rules: readonly DatabaseRule[],
  client: pg.ClientBase,
  seen: Seen,
): Promise<readonly Diagnostic[]> {
  const report = new Report();
  for (const rule of rules) await rule({ client, seen, report });
  return report.diagnostics;
}

/** Every Postgres role of requests, and the gateway login. */
export function ourRoles({ loaded, login }: Seen): readonly string[] {
  const { gateway, policy } = systemRoles(loaded.model);
  return [...compiledRoles(loaded.model), gateway, policy, login.name];
}

/** Schemas that hold tables with rules: compiled roles may use them. */
export function managedSchemas({ loaded }: Seen): readonly string[] {
  return [...new Set([...loaded.model.tables.values()].map((table) => table.schema))];
}
