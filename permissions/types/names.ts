/**
 * The key of a table: `schema.name`, both in the spelling of the database's catalog. Dots and backslashes inside a name
 * are escaped.
 */
export type TableKey = string;

/**
 * A session variable, under the name that its Postgres setting has after `gql.`: `organization_id` for
 * `X-Gql-Organization-Id`.
 */
export type VariableName = string;

/** A Postgres type by its SQL name, e.g. schema `pg_catalog`, name `uuid`. */
export interface TypeName {
  readonly schema: string;
  readonly name: string;
  /** The element type, if this is an array type. */
  readonly element?: TypeName;
  /** The labels, if this is an enum. */
  readonly labels?: readonly string[];
}

/** The use of a session variable in a rule. */
export interface VariableUse {
  readonly variable: VariableName;
  /** The type to which a rule casts the variable's text. `_in` and similar operators need an array type. */
  readonly type: TypeName;
}

/**
 * An operator with its schema. Rules print it as `operator(schema.symbol)`, so that the search_path cannot change it.
 */
export interface OperatorName {
  readonly schema: string;
  readonly symbol: string;
  readonly leakproof: boolean;
}
