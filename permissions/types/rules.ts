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
  /** Over GraphQL only with the admin secret and the header that says so; in SQL it changes nothing. */
  readonly backendOnly: boolean;
}

export interface SelectRule extends Rule {
  readonly filter: BoolExp;
  /** In the table's own order. */
  readonly columns: readonly string[];
  /** Fields with one value that the role may read, in the table's own order. */
  readonly computedFields: readonly string[];
  /**
   * Columns, hidden keys included, that only some of the visible rows show, and the condition under which. Empty but
   * for what a role inherits from several others.
   */
  readonly columnMasks: ReadonlyMap<string, BoolExp>;
  /** Computed fields that only some of the visible rows show, likewise. */
  readonly fieldMasks: ReadonlyMap<string, BoolExp>;
  readonly allowAggregations: boolean;
  /** By which the rows are read over GraphQL, besides from other tables; undefined: all. */
  readonly queryFields: readonly QueryField[] | undefined;
  readonly limit: number | undefined;
}

export interface Preset {
  readonly column: string;
  readonly value: Operand;
}

/** A foreign key that a rule lets clients write, while `references_visible` is on. */
export interface Reference {
  /** Along the foreign key, named by the constraint. Its table may be outside the metadata where `filter` is absent. */
  readonly relationship: Relationship;
  /** The role's select filter on the other table; absent: it sees no row there, so only null may be written. */
  readonly filter: BoolExp | undefined;
}

export interface InsertRule extends WriteRule {
  readonly check: BoolExp;
  /** Foreign keys that must lead to a row that the role sees; all-seeing ones are left out. */
  readonly references: readonly Reference[];
  readonly presets: readonly Preset[];
  readonly columns: readonly string[];
}

export interface UpdateRule extends WriteRule {
  readonly filter: BoolExp;
  /** Absent: every row that passes the filter may become anything. */
  readonly check: BoolExp | undefined;
  /** As of InsertRule, for the columns that the role may change. */
  readonly references: readonly Reference[];
  readonly presets: readonly Preset[];
  readonly columns: readonly string[];
}

export interface DeleteRule extends WriteRule {
  readonly filter: BoolExp;
}

/** The rules of one role on one table; what is absent is refused. */
export interface TableRules {
  readonly select: SelectRule | undefined;
  readonly insert: InsertRule | undefined;
  readonly update: UpdateRule | undefined;
  readonly delete: DeleteRule | undefined;
}
