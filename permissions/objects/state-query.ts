import type { Installation } from './installation.ts';

/** What to look for. */
export interface StateQuery {
  /** Whose roles they are, and what was applied last. */
  readonly installation: Installation;
  /** Names of all Postgres roles that the metadata wants. */
  readonly roles: readonly string[];
  /** Roles that nobody but the gateway's login may be a member of: whoever is one is believed or reads everything. */
  readonly exclusiveRoles: readonly string[];
  /** Name of the gateway's login, managed or not. */
  readonly login: string;
  /** Oids of the tables that the metadata manages, and of what lies below them. */
  readonly tables: readonly number[];
  /** Ids of rights to call functions that PUBLIC must not have where these act with the rights of their owners. */
  readonly callsOfAll: ReadonlySet<string>;
  readonly serverVersion: number;
}
