/** `schema.name`, both exactly as in the catalog. */
export type TableKey = string;

/** A session variable, by its setting's name after `gql.`: `organization_id` for `X-Gql-Organization-Id`. */
export type VariableName = string;

/** A Postgres type as it is written in SQL, e.g. schema `pg_catalog`, name `uuid`. */
export interface TypeName {
  readonly schema: string;
  readonly name: string;
  /** Element type for an array type. */
  readonly element?: TypeName;
  /** Labels, for an enum. */
  readonly labels?: readonly string[];
}

/** That a rule reads a variable, and as what. */
export interface VariableUse {
  readonly variable: VariableName;
  /** The type its text must be a literal of; for `_in` and the like an array type. */
  readonly type: TypeName;
}

/** An operator with its schema, printed as `operator(schema.symbol)`. */
export interface OperatorName {
  readonly schema: string;
  readonly symbol: string;
  readonly leakproof: boolean;
}
