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

/** The rules of one role on one table, and what they open together with its rules on other tables. */
export interface TablePermissions extends TableRules {
  /** Relationships whose both ends the role may select, by name. */
  readonly relationships: ReadonlyMap<string, Relationship>;
  /** Key columns outside `select.columns` that those relationships need; readable in SQL only. */
  readonly hiddenKeys: readonly string[];
  /**
   * Columns of `select.columnMasks` that relationships follow in more rows than show them, and the condition for that.
   * The rows view has them once more for that, see joinColumn.
   */
  readonly joinMasks: ReadonlyMap<string, BoolExp>;
  /** Computed fields that give rows of a table which the role may select, and whose function it can call, by name. */
  readonly computedRows: readonly string[];
}

export interface RoleModel {
  /** As in the role header, e.g. `investor`; the admin role is `admin`. */
  readonly name: string;
  /** The Postgres role, e.g. `rowgate_platform_investor`. */
  readonly postgresName: string;
  readonly purpose: string;
  /** Variables that every request in this role must carry, those of the roles that it inherits from included. */
  readonly requires: readonly VariableName[];
  /** The roles that it inherits from directly. */
  readonly inherits: readonly string[];
  readonly limits: RoleLimits | undefined;
  /** Whether `__schema` and `__type` are answered. */
  readonly introspection: boolean;
  readonly tables: ReadonlyMap<TableKey, TablePermissions>;
  /** Keys of the functions that are root fields of the role, in the order of the model. */
  readonly functions: readonly TableKey[];
}

/** The checked metadata, resolved against one database. */
export interface Model {
  /** e.g. `rowgate_platform_`. */
  readonly rolePrefix: string;
  /** e.g. `X-Gql-`. */
  readonly headerPrefix: string;
  /** By name as in the header; holds `admin`, which may do everything on every table here. */
  readonly roles: ReadonlyMap<string, RoleModel>;
  readonly tables: ReadonlyMap<TableKey, TableModel>;
  /** Those that are root fields, by `schema.name` as tables are. */
  readonly functions: ReadonlyMap<TableKey, FunctionModel>;
  /** Every variable that a rule, role or computed field names, sorted. A gateway sets all on each request, absent ones to ''. */
  readonly variables: readonly VariableName[];
  /** By name. */
  readonly events: ReadonlyMap<string, EventTrigger>;
  /** By name. */
  readonly schedules: ReadonlyMap<string, Schedule>;
  /** Root fields that handlers answer over HTTP, by name. */
  readonly actions: ReadonlyMap<string, Action>;
  /** The types that actions bring along, by name. */
  readonly customTypes: ReadonlyMap<string, CustomType>;
  /** The documents of the allow-list, whether or not others are refused. */
  readonly allowList: readonly ListedDocument[];
  /** Absent: only Hasura's dialect is served. */
  readonly graphile: GraphileModel | undefined;
  /** sha256 of the whole model but for places and descriptions; equal ones compile to equal state and serve equal names. */
  readonly fingerprint: string;
}
