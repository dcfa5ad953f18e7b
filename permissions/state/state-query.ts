/** What to look for. */
export interface StateQuery {
  /** Role comment of this installation. */
  readonly roleComment: string;
  /** Names of all Postgres roles that the metadata wants. */
  readonly roles: readonly string[];
  readonly policyRole: string;
  /** Name of the gateway's login, managed or not. */
  readonly login: string;
  /** Oids of the tables that the metadata manages, and of what lies below them. */
  readonly tables: readonly number[];
  readonly serverVersion: number;
}
