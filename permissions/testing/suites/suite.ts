import type { Position } from '../../diagnostics.ts';
import type { Refusal, RowOperation } from '../../metadata/schemas/tests.ts';
import type { RoleModel } from '../../types/model.ts';
import type { TypeName, VariableName } from '../../types/names.ts';
import type { TableModel } from '../../types/tables.ts';

/** A value of a test, whose references to rows are looked up when it is used. */
export type TestValue =
  | { readonly kind: 'null' }
  | { readonly kind: 'text'; readonly text: string }
  /** The value of a column of a row that the file names: `$draft` or `$draft.status`. */
  | { readonly kind: 'reference'; readonly row: string; readonly column: string };

export type VariableValue = Exclude<TestValue, { kind: 'null' }>;

/** A caller: a role with session variables. */
export interface Principal {
  readonly name: string;
  readonly role: RoleModel;
  readonly variables: ReadonlyMap<VariableName, VariableValue | readonly VariableValue[]>;
}

/** The value of a column, with its type. */
export interface ColumnValue {
  readonly column: string;
  readonly type: TypeName;
  readonly value: TestValue;
}

/** A row of the database that a test names by its primary key. */
export interface RowKey {
  readonly kind: 'key';
  readonly values: readonly ColumnValue[];
  /** The key as the file writes it. */
  readonly label: string;
}

/** A row that a test names: a row under fixtures or existing, or a key. */
export type RowReference = { readonly kind: 'name'; readonly name: string } | RowKey;

/** A row under fixtures, or the name of a row that exists. */
export interface NamedRow {
  readonly name: string;
  readonly table: TableModel;
  readonly position: Position;
  readonly source:
    | {
        readonly kind: 'fixture';
        readonly like: string | undefined;
        readonly values: readonly ColumnValue[];
      }
    | { readonly kind: 'existing'; readonly key: RowKey };
}

/** The columns that an operation may use; undefined: the operation is refused. */
export type ExpectedColumns = readonly string[] | undefined;

export interface ExpectedRights {
  readonly select: ExpectedColumns;
  readonly insert: ExpectedColumns;
  readonly update: ExpectedColumns;
  readonly delete: boolean;
  /** Undefined: the test expects nothing about aggregates. */
  readonly aggregate: boolean | undefined;
}

export type AggregateFunction = 'sum' | 'min' | 'max';

export interface ExpectedAggregate {
  readonly function: AggregateFunction;
  readonly column: ColumnValue;
}

interface TestHead {
  readonly title: string;
  readonly table: TableModel;
  readonly position: Position;
}

interface WriteTest extends TestHead {
  readonly principal: Principal;
  /** Undefined: the write succeeds. */
  readonly refused: Refusal | undefined;
  /** Values of the written row. */
  readonly written: readonly ColumnValue[];
}

export interface InsertTest extends WriteTest {
  readonly kind: 'insert';
  /** The row whose columns are copied first, as far as the rule lets the role write them. */
  readonly like: string | undefined;
  readonly values: readonly ColumnValue[];
}

export interface UpdateTest extends WriteTest {
  readonly kind: 'update';
  readonly row: RowReference;
  readonly values: readonly ColumnValue[];
}

export interface DeleteTest extends WriteTest {
  readonly kind: 'delete';
  readonly row: RowReference;
}

export interface RightsTest extends TestHead {
  readonly kind: 'may';
  readonly principal: Principal;
  readonly rights: ExpectedRights;
}

export interface MatrixTest extends TestHead {
  readonly kind: 'matrix';
  readonly principal: Principal;
  readonly allowed: ReadonlyMap<string, readonly RowOperation[]>;
}

export interface ListTest extends TestHead {
  readonly kind: 'list';
  readonly principal: Principal;
  readonly rows: readonly RowReference[];
}

export interface AggregateTest extends TestHead {
  readonly kind: 'aggregates';
  readonly principal: Principal;
  readonly count: number | undefined;
  readonly values: readonly ExpectedAggregate[];
}

/** One expectation about one principal and one table. A test of a file with several principals gives several. */
export type PermissionTest =
  | RightsTest
  | MatrixTest
  | ListTest
  | AggregateTest
  | InsertTest
  | UpdateTest
  | DeleteTest;

/** A file of tests, resolved against the model. */
export interface Suite {
  readonly file: string;
  /** The time that rules see, as ISO 8601 in UTC; undefined: the current time. */
  readonly now: string | undefined;
  readonly triggers: boolean;
  /** The named rows in the order in which they are inserted or looked up, including those of used files. */
  readonly rows: readonly NamedRow[];
  readonly tests: readonly PermissionTest[];
}
