import type { Position } from '../diagnostics.ts';
import type { QueryField, SubscriptionField } from '../metadata/schemas/tables/graphql-names.ts';
import type { BoolExp, Operand } from './expressions.ts';
import type { VariableUse } from './names.ts';
import type { Relationship } from './tables.ts';

interface Rule {
  readonly variables: readonly VariableUse[];
  readonly position: Position;
}

interface WriteRule extends Rule {
  /**
   * Whether the rule is backend-only: over GraphQL, the rule applies only to requests with the admin secret and the
   * header for backend-only rules. In SQL, the rule always applies.
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
   * Masks of columns, by column (including hidden keys): the condition under which a visible row shows the column. A
   * column has a mask only if some visible rows do not show it, which happens only in roles that inherit from several
   * roles.
   */
  readonly columnMasks: ReadonlyMap<string, BoolExp>;
  /** Masks of computed fields, by name: the condition under which a visible row shows the field. */
  readonly fieldMasks: ReadonlyMap<string, BoolExp>;
  readonly allowAggregations: boolean;
  /**
   * Query fields through which GraphQL clients may read the rows. Undefined: all query fields. The list does not limit
   * reading through relationships.
   */
  readonly queryFields: readonly QueryField[] | undefined;
  /** The same for subscriptions. */
  readonly subscriptionFields: readonly SubscriptionField[] | undefined;
  readonly limit: number | undefined;
}

export interface Preset {
  readonly column: string;
  readonly value: Operand;
}

/**
 * A foreign key that must refer to a row that the role sees. A rule has one for each key that clients may write, while
 * `references_visible` is on.
 */
export interface Reference {
  /**
   * The relationship along the foreign key, under the name of the constraint. Its table may be outside the metadata if
   * `filter` is absent.
   */
  readonly relationship: Relationship;
  /**
   * The role's select filter on the other table. Absent: the role sees no row of that table, so it may write only null
   * into the key.
   */
  readonly filter: BoolExp | undefined;
}

export interface InsertRule extends WriteRule {
  readonly check: BoolExp;
  /**
   * Foreign keys that must refer to a row that the role sees. Keys to tables of which the role sees every row need no
   * check and are omitted.
   */
  readonly references: readonly Reference[];
  readonly presets: readonly Preset[];
  readonly columns: readonly string[];
}

export interface UpdateRule extends WriteRule {
  readonly filter: BoolExp;
  /**
   * The condition that a changed row must satisfy. Absent: the changed row must satisfy the filter if the rule can
   * change columns that the filter compares.
   */
  readonly check: BoolExp | undefined;
  /** Like InsertRule.references, for the columns that the role may change. */
  readonly references: readonly Reference[];
  readonly presets: readonly Preset[];
  readonly columns: readonly string[];
}

export interface DeleteRule extends WriteRule {
  readonly filter: BoolExp;
}

/** The operations for which a rule can be declared, in the order in which they are shown. */
export const operations = ['select', 'insert', 'update', 'delete'] as const;

export type Operation = (typeof operations)[number];

/** The rules of one role on one table. An operation without a rule is refused. */
export interface TableRules {
  readonly select: SelectRule | undefined;
  readonly insert: InsertRule | undefined;
  readonly update: UpdateRule | undefined;
  readonly delete: DeleteRule | undefined;
}
