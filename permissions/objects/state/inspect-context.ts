import type pg from 'pg';
import type { CopiedRole } from './copied-role.ts';
import type { Installation } from './installation.ts';

/** The scope of reading the state. */
export interface StateQuery {
  /** The installation that the roles belong to, with the record of its last apply. */
  readonly installation: Installation;
  /** Names of all Postgres roles that the metadata needs. */
  readonly roles: readonly string[];
  /**
   * Roles that may have no member except the gateway's login. A member could set any session variable, or read
   * everything.
   */
  readonly exclusiveRoles: readonly string[];
  /** Name of the gateway's login, whether Rowgate manages it or not. */
  readonly login: string;
  /** Oids of the tables that the metadata manages, and of the tables below them. */
  readonly tables: readonly number[];
  /** Ids of EXECUTE privileges that PUBLIC must not have, because the functions run with the rights of their owner. */
  readonly callsOfAll: ReadonlySet<string>;
  readonly serverVersion: number;
}

/**
 * The input for reading each kind of object. The search_path of the connection is pg_catalog, so Postgres prints
 * expressions with full names.
 */
export interface InspectContext {
  readonly client: pg.ClientBase;
  readonly query: StateQuery;
  /** Oids of our roles and of the gateway's login. */
  readonly oids: readonly string[];
  /** Oids of the exclusive roles. */
  readonly exclusiveOids: readonly string[];
  /** Roles of databases that this one is a copy of. */
  readonly copied: readonly CopiedRole[];
  readonly loginOid: string | undefined;
  readonly foreignLogin: boolean;
}

/**
 * Returns an SQL condition: the named schema is not temporary. Other sessions cannot use objects in temporary schemas.
 * If such objects counted, any session could block apply by creating one.
 */
export const lasting = (name: string) => `${name} not like 'pg\\_temp\\_%'`;
