import type { Schedule } from '../metadata/schemas/webhooks/schedules.ts';
import type { Action, CustomType } from './actions.ts';
import type { EventTrigger } from './events.ts';
import type { BoolExp } from './expressions.ts';
import type { FunctionModel } from './functions.ts';
import type { GraphileModel } from './graphile.ts';
import type { TableKey, VariableName } from './names.ts';
import type { ListedDocument } from './operations.ts';
import type { RoleLimits } from './role-limits.ts';
import type { TableRules } from './rules.ts';
import type { Relationship, TableModel } from './tables.ts';

/**
 * The rules of one role on one table, and the relationships and computed fields that the role can use because of its
 * rules on all tables.
 */
export interface TablePermissions extends TableRules {
  /** Relationships that the role can use because it may select both ends, by name. */
  readonly relationships: ReadonlyMap<string, Relationship>;
  /**
   * Columns outside `select.columns` that relationships of the role join by. They are readable in SQL only, not in
   * GraphQL.
   */
  readonly hiddenKeys: readonly string[];
  /**
   * For columns that relationships may follow in more rows than their mask shows: the condition for following, by
   * column. The rows view has a second column for each of them, see TableAccess.joinColumns.
   */
  readonly joinMasks: ReadonlyMap<string, BoolExp>;
  /** Names of computed fields that return rows. The role can call their function and may select the returned rows. */
  readonly computedRows: readonly string[];
}

export interface RoleModel {
  /** The name in the role header, e.g. `investor`; `admin` for the admin role. */
  readonly name: string;
  /** The Postgres role, e.g. `rowgate_platform_investor`. */
  readonly postgresName: string;
  readonly purpose: string;
  /** Session variables that every request in this role must carry, including those that its parents require. */
  readonly requires: readonly VariableName[];
  /** Names of the parents, which are the roles that this role inherits from directly. */
  readonly inherits: readonly string[];
  readonly limits: RoleLimits | undefined;
  /** Whether the role may query `__schema` and `__type`. */
  readonly introspection: boolean;
  readonly tables: ReadonlyMap<TableKey, TablePermissions>;
  /** Keys of the functions that are root fields for the role, in the order of the model. */
  readonly functions: readonly TableKey[];
}

/** The checked metadata, resolved against one database. */
export interface Model {
  /** Prefix of the Postgres roles, e.g. `rowgate_platform_`. */
  readonly rolePrefix: string;
  /** Prefix of headers that hold session variables, e.g. `X-Gql-`. */
  readonly headerPrefix: string;
  /** Roles by their name in the role header. Includes `admin`, which may do everything on every table of the model. */
  readonly roles: ReadonlyMap<string, RoleModel>;
  readonly tables: ReadonlyMap<TableKey, TableModel>;
  /** Functions that are root fields, by `schema.name`. */
  readonly functions: ReadonlyMap<TableKey, FunctionModel>;
  /**
   * Every session variable that a rule, role or computed field names, sorted. The gateway sets all of them on each
   * request. It sets a variable that the request lacks to '', which rules treat as missing.
   */
  readonly variables: readonly VariableName[];
  readonly events: ReadonlyMap<string, EventTrigger>;
  readonly schedules: ReadonlyMap<string, Schedule>;
  /** Root fields that handlers answer over HTTP, by name. */
  readonly actions: ReadonlyMap<string, Action>;
  /** Types that actions.yaml declares, by name. */
  readonly customTypes: ReadonlyMap<string, CustomType>;
  /** Documents of the allow-list. The server's settings decide whether other documents are refused. */
  readonly allowList: readonly ListedDocument[];
  /** The content of graphile.yaml. Absent: only Hasura's dialect is served. */
  readonly graphile: GraphileModel | undefined;
  /**
   * sha256 of the model without positions and descriptions. When the fingerprint is unchanged, the metadata compiles to
   * the same database state and GraphQL has the same names.
   */
  readonly fingerprint: string;
}
