import type pg from 'pg';
import type { CopiedRole } from './copied-role.ts';
import type { Installation } from './installation.ts';

/** The installation, roles and tables whose state is read from the database. */
export interface StateQuery {
  /** The installation that the roles belong to, with the record of its last apply. */
  readonly installation: Installation;
  /** Names of all Postgres roles that the metadata needs. */
  readonly roles: readonly string[];
  /**
   * Roles that only the gateway's login may be a member of. Any other member could set every session variable, or read
   * everything.
   */
  readonly exclusiveRoles: readonly string[];
  /** Name of the gateway's login, whether Rowgate manages it or not. */
  readonly login: string;
  /** Oids of the tables that the metadata manages, and of the tables below them. */
  readonly tables: readonly number[];
  /**
   * Ids of EXECUTE privileges that apply must revoke from PUBLIC, because the functions run with the rights of their
   * owner.
   */
  readonly callsOfAll: ReadonlySet<string>;
  readonly serverVersion: number;
}

/**
 * The input of the functions that read each kind of object. The search_path of the connection must be pg_catalog, so
 * that Postgres prints expressions with qualified names.
 */
export interface InspectContext {
  readonly client: pg.ClientBase;
  readonly query: StateQuery;
  /** Oids of Rowgate's roles and of the gateway's login. */
  readonly oids: readonly string[];
  /** Oids of the roles that only the gateway's login may be a member of. */
  readonly exclusiveOids: readonly string[];
  /** Roles of the databases from which this database was copied. */
  readonly copied: readonly CopiedRole[];
  readonly loginOid: string | undefined;
  readonly foreignLogin: boolean;
}

/**
 * Returns an SQL condition that the named schema is not temporary. Objects in temporary schemas do not count, because
 * other sessions cannot use them. If they counted, any session could block apply by creating one.
 */
export const lasting = (name: string) => `${name} not like 'pg\\_temp\\_%'`;
