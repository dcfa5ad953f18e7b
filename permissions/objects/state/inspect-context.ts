import type pg from 'pg';
import type { Installation } from './installation.ts';

/** What to look for. */
export interface StateQuery {
  /** The installation that the roles belong to, and what it applied last. */
  readonly installation: Installation;
  /** Names of all Postgres roles that the metadata asks for. */
  readonly roles: readonly string[];
  /** Roles that take no member but the gateway's login: a member is trusted with any variables, or reads everything. */
  readonly exclusiveRoles: readonly string[];
  /** Name of the gateway's login, managed or not. */
  readonly login: string;
  /** Oids of the tables that the metadata manages, and of the tables below them. */
  readonly tables: readonly number[];
  /** Ids of rights to call functions that PUBLIC must not have where these act with the rights of their owners. */
  readonly callsOfAll: ReadonlySet<string>;
  readonly serverVersion: number;
}

/** What reading each kind of object needs. The connection's search_path is pg_catalog: expressions are rendered in full. */
export interface InspectContext {
  readonly client: pg.ClientBase;
  readonly query: StateQuery;
  /** Oids of our roles and of the gateway's login. */
  readonly oids: readonly string[];
  /** Oids of the exclusive roles. */
  readonly exclusiveOids: readonly string[];
  readonly loginOid: string | undefined;
  readonly foreignLogin: boolean;
}

/**
 * In SQL: a name of a schema that outlives a session. Objects in temporary schemas are out of reach for other sessions.
 * If they counted, any session could hold up apply by making one.
 */
export const lasting = (name: string) => `${name} not like 'pg\\_temp\\_%'`;
