import type { Position } from '../diagnostics.ts';
import type { QueryField } from '../metadata/schemas/tables/graphql-names.ts';
import type { BoolExp, Operand } from './expressions.ts';
import type { VariableUse } from './names.ts';
import type { Relationship } from './tables.ts';

interface Rule {
  readonly variables: readonly VariableUse[];
  readonly position: Position;
}

interface WriteRule extends Rule {
  /**
   * Over GraphQL the rule applies only to requests with the admin secret and the header for backend-only rules. It
   * changes nothing in SQL.
   */
  readonly backendOnly: boolean;
}

export interface SelectRule extends Rule {
  readonly filter: BoolExp;
  /** Columns in the order of the table. */
  readonly columns: readonly string[];
  /** Computed fields with a single value that the role may read, in the order of the table. */
  readonly computedFields: readonly string[];
  /**
   * Columns, hidden keys included, that only some visible rows show, each with the condition for showing. Only roles
   * that inherit from several roles have masks.
   */
  readonly columnMasks: ReadonlyMap<string, BoolExp>;
  /** Computed fields that only some visible rows show, each with the condition for showing. */
  readonly fieldMasks: ReadonlyMap<string, BoolExp>;
  readonly allowAggregations: boolean;
  /** Query fields through which GraphQL reads the rows, besides relationships; undefined: all. */
  readonly queryFields: readonly QueryField[] | undefined;
  readonly limit: number | undefined;
}

export interface Preset {
  readonly column: string;
  readonly value: Operand;
}

/** A foreign key whose columns a rule lets clients write while `references_visible` is on. */
export interface Reference {
  /**
   * The relationship along the foreign key, named like the constraint. If `filter` is absent, its table may be
   * outside the metadata.
   */
  readonly relationship: Relationship;
  /** The role's select filter on the other table. Absent: the role sees no row there, so it may write only null. */
  readonly filter: BoolExp | undefined;
}

export interface InsertRule extends WriteRule {
  readonly check: BoolExp;
  /** Foreign keys that must lead to a row that the role sees. Keys to tables that the role sees whole are left out. */
  readonly references: readonly Reference[];
  readonly presets: readonly Preset[];
  readonly columns: readonly string[];
}

export interface UpdateRule extends WriteRule {
  readonly filter: BoolExp;
  /** Absent: a row that passes the filter may be changed to any values. */
  readonly check: BoolExp | undefined;
  /** Like InsertRule.references, for the columns that the role may change. */
  readonly references: readonly Reference[];
  readonly presets: readonly Preset[];
  readonly columns: readonly string[];
}

export interface DeleteRule extends WriteRule {
  readonly filter: BoolExp;
}

/** The rules of one role on one table. An operation without a rule is refused. */
export interface TableRules {
  readonly select: SelectRule | undefined;
  readonly insert: InsertRule | undefined;
  readonly update: UpdateRule | undefined;
  readonly delete: DeleteRule | undefined;
}
