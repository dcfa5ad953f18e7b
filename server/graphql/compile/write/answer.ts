import type { FieldNode } from 'postgraphile/graphql';
import { type SQL, sql } from 'postgraphile/pg-sql2';
import { followedBy } from '../../schema/view/relationship-view.ts';
import type { TableView } from '../../schema/view/table-view.ts';
import { type BoundedColumns, boundedColumns } from '../bounded-columns.ts';
import type { Compilation } from '../compilation.ts';
import { newAlias } from '../fragments.ts';
import { jsonList } from '../list/json-list.ts';
import { compileRow } from '../rows.ts';
import { isMasked, visibleRows, writtenKey } from './masked-columns.ts';
import type { Change } from './program.ts';

/**
 * The parts of a mutation field that the client requests about the written rows: `{affected_rows returning {…}}`, or a
 * row itself.
 */
export interface AnswerRequest {
  readonly kind: 'response' | 'row';
  readonly table: TableView;
  readonly nodes: readonly FieldNode[];
  readonly path: string;
}

interface Part {
  readonly key: string;
  readonly kind: 'affected' | 'rows' | 'typename';
  readonly nodes: readonly FieldNode[];
}

/** The columns and other data that the answer needs. */
interface Needs {
  readonly columns: ReadonlySet<string>;
  readonly isPlain: boolean;
  /**
   * True if the answer contains masked columns. A later statement then reads the rows by their keys from the view that
   * applies the masks.
   */
  readonly isMasked: boolean;
}

/** Compiles the answer of a mutation field, and assembles it from the results of Postgres. */
export class Answer {
  readonly #compilation: Compilation;
  readonly #request: AnswerRequest;
  readonly #parts: readonly Part[];
  readonly #needs: Needs;

  constructor(compilation: Compilation, request: AnswerRequest) {
    this.#compilation = compilation;
    this.#request = request;
    this.#parts = partsOf(compilation, request);
    const place = request.kind === 'row' ? request.path : `${request.path}.selectionSet.returning`;
    this.#needs = needsOf(compilation, request.table, this.#rowParts, place);
    if (this.needsRows) compilation.use(request.table.select);
  }

  /** Returns true if the client selects any row. */
  get needsRows(): boolean {
    return this.#rowParts.length > 0;
  }

  /** The columns of the table that the answer is built from. */
  get columns(): readonly string[] {
    return [...this.#needs.columns];
  }

  /**
   * Returns true if the writing statement can return the answer directly. That is possible only when the client selects
   * nothing but columns of the rows: a later statement reads relationships, after all rows are written.
   */
  isPlainFor(kind: Change['kind']): boolean {
    // A deleting statement still sees the deleted rows, but later statements do not see them.
    return this.#needs.isMasked ? kind === 'delete' : this.#needs.isPlain;
  }

  /**
   * Compiles one JSON text for each part that contains rows. `rows` has the {@link columns} by their names in the
   * table.
   */
  compile(rows: SQL): BoundedColumns {
    const [field] = this.#request.nodes;
    // Each update of an `_many` field is a separate statement with the same answer, so the tables of the answer count
    // once.
    return this.#compilation.counter.once(field, () => this.#compileParts(rows));
  }

  #compileParts(rows: SQL): BoundedColumns {
    const { table, kind, path } = this.#request;
    const { maxBytes } = this.#compilation.options;
    const shown = this.#needs.isMasked ? visibleRows(table, rows, path) : rows;
    const values = this.#rowParts.map(({ nodes }, index) => {
      const alias = newAlias();
      const subquery = newAlias();
      const place = kind === 'row' ? path : `${path}.selectionSet.returning`;
      if (index > 0) this.#compilation.counter.read(1, place);
      const row = compileRow(this.#compilation, { table, alias, nodes, path: place });
      const source = sql`(select ${row.columns} from ${shown} ${alias}) ${subquery}`;
      const json = row.json(subquery);
      if (kind === 'row') return sql`(select ${json} from ${source})`;
      // The number of rows is not known at compile time.
      const list = jsonList(json, source, { maxBytes, maxRows: Number.POSITIVE_INFINITY });
      return sql`(select ${list.list} from ${list.source})`;
    });
    return boundedColumns(values, this.#compilation.byteLimit);
  }

  /** Assembles the answer as JSON. `texts` are the values of the columns from {@link compile}. */
  assemble(affected: number, texts: readonly (string | null)[]): string {
    if (this.#request.kind === 'row') return texts[0] ?? 'null';
    const rows = texts.values();
    const members = this.#parts.map(({ key, kind }) => {
      if (kind === 'affected') return `"${key}":${affected}`;
      if (kind === 'typename') return `"${key}":"${this.#request.table.name}_mutation_response"`;
      return `"${key}":${rows.next().value ?? '[]'}`;
    });
    return `{${members.join(',')}}`;
  }

  get #rowParts(): readonly Part[] {
    return this.#parts.filter(({ kind }) => kind === 'rows');
  }
}

function partsOf(compilation: Compilation, { kind, nodes }: AnswerRequest): readonly Part[] {
  if (kind === 'row') return [{ key: '', kind: 'rows', nodes }];
  return [...compilation.fieldsBelow(nodes)].map(([key, fields]) => {
    const name = fields[0]?.name.value;
    if (name === '__typename') return { key, kind: 'typename', nodes: fields };
    return { key, kind: name === 'returning' ? 'rows' : 'affected', nodes: fields };
  });
}

function needsOf(
  compilation: Compilation,
  table: TableView,
  parts: readonly Part[],
  path: string,
): Needs {
  const names = parts.flatMap(({ nodes }) =>
    [...compilation.fieldsBelow(nodes)].map(([, [field]]) => field?.name.value ?? ''),
  );
  const masked = names.find((name) => isMasked(table, name));
  if (masked !== undefined) {
    const key = writtenKey(table, `${path}.selectionSet.${masked}`);
    return { columns: new Set(key.map(({ column }) => column)), isPlain: false, isMasked: true };
  }
  const columns = new Set<string>();
  let isPlain = true;
  for (const { nodes } of parts) {
    for (const [, [field]] of compilation.fieldsBelow(nodes)) {
      const name = field?.name.value ?? '';
      const column = table.columns.get(name);
      if (column) columns.add(column.column);
      if (column || name === '__typename') continue;
      isPlain = false;
      // A function that is called directly takes the whole row, so it needs all columns.
      const computed = table.computed.get(name);
      const called = computed ?? table.computedRows.get(name);
      if (computed?.source.kind === 'by key' || called?.own) {
        for (const key of table.model.primaryKey) columns.add(key);
      } else if (called) for (const one of table.model.columns.keys()) columns.add(one);
      for (const { local } of followedBy(table, name)?.columns ?? []) columns.add(local);
    }
  }
  // Later steps need at least one column of a row, so one column is returned even if the client selects no column.
  const [first] = table.readable.keys();
  if (parts.length > 0 && columns.size === 0 && first !== undefined) columns.add(first);
  return { columns, isPlain, isMasked: false };
}
