import { useMemo } from 'preact/hooks';
import type { Values } from '../shell/place.ts';
import type { ScreenProps } from '../shell/screens.ts';
import { Marks, RuleCell } from './cell.tsx';
import { Details } from './details.tsx';
import { Filters } from './filters.tsx';
import { type Cell, Grid } from './grid.tsx';
import { indexRules } from './rules.ts';
import { differencesAt, findColumn, viewOf } from './view.ts';
import { WhoCan } from './who-can.tsx';

const ruleHeight = 76;
const marksHeight = 36;

/** The matrix of roles and tables, with filters, the question about a column, and the comparison of two roles. */
export function MatrixScreen({ place, go, matrix }: ScreenProps) {
  const { values } = place;
  const rulesOf = useMemo(() => indexRules(matrix), [matrix]);
  const view = useMemo(() => viewOf(values, matrix, rulesOf), [values, matrix, rulesOf]);
  const set = (changed: Values) =>
    go({ screen: 'matrix', values: { ...values, ...changed } }, 'replace');
  const question = findColumn(values.column ?? '', matrix);
  const rowIndex = view.tables.findIndex(({ key }) => key === values.on);
  const columnIndex = view.roles.indexOf(values.as ?? '');
  const chosen =
    rowIndex >= 0 && columnIndex >= 0 ? { row: rowIndex, column: columnIndex } : undefined;
  const [table, role] = [view.tables[rowIndex], view.roles[columnIndex]];
  return (
    <>
      <h1>Who may see and change what</h1>
      <Filters matrix={matrix} values={values} set={set} />
      {question && <WhoCan {...{ matrix, rulesOf, ...question }} />}
      {values.column && !question && (
        <p class="quiet" role="status">
          There is no column “{values.column}”. Write table.column, or choose a suggestion.
        </p>
      )}
      <Legend view={view} />
      {view.tables.length === 0 || view.roles.length === 0 ? (
        <p role="status">{nothingWords(view)}</p>
      ) : (
        <div class={chosen ? 'beside' : ''}>
          <ViewGrid
            {...{ matrix, view, rulesOf, chosen }}
            choose={({ row, column }) => {
              const as = view.roles[column];
              if (as !== undefined) {
                go({ screen: 'matrix', values: { ...values, on: view.tables[row]?.key, as } });
              }
            }}
          />
          {chosen && table && role !== undefined && (
            <Details
              {...{ role, table: table.key, go }}
              rules={rulesOf(table.key, role)}
              ofTable={table.columns.length}
              close={() => {
                set({ on: undefined, as: undefined });
                document.querySelector<HTMLElement>('[role=gridcell][tabindex="0"]')?.focus();
              }}
            />
          )}
        </div>
      )}
    </>
  );
}

type View = ReturnType<typeof viewOf>;

function Legend({ view }: { readonly view: View }) {
  const words =
    view.operation === 'all'
      ? 'S select, I insert, U update, D delete; a small letter: some rows or columns only; ^ inherited; – nothing'
      : `${view.operation}: columns of the rule, its rows, and what else it allows or sets`;
  return (
    <p class="quiet" role="status">
      {view.tables.length} tables, {view.roles.length} roles. {words}.
    </p>
  );
}

function nothingWords({ compared, tables }: View): string {
  if (compared) return `${compared.join(' and ')} may do the same with every table shown.`;
  return tables.length === 0
    ? 'No table matches; shorten the text in “Table”.'
    : 'No role matches; shorten the text in “Role”.';
}

interface ViewGridProps extends Pick<ScreenProps, 'matrix'> {
  readonly view: View;
  readonly rulesOf: ReturnType<typeof indexRules>;
  readonly chosen: Cell | undefined;
  readonly choose: (cell: Cell) => void;
}

function ViewGrid({ matrix, view, rulesOf, chosen, choose }: ViewGridProps) {
  const { compared, operation, roles, tables } = view;
  const isMarks = operation === 'all' && !compared;
  const inherits = new Map(matrix.roles.map((role) => [role.name, role.inherits]));
  const heads = roles.map((name) => <RoleHead name={name} inherits={inherits.get(name) ?? []} />);
  const contentOf = ({ row, column }: Cell) => {
    const table = tables[row];
    const role = roles[column];
    if (!table) return null;
    if (role === undefined) return <DifferenceCell {...{ view, rulesOf }} table={table.key} />;
    const rules = rulesOf(table.key, role);
    if (operation === 'all') return <Marks rules={rules} />;
    return <RuleCell entry={rules.get(operation)} ofTable={table.columns.length} />;
  };
  return (
    <Grid
      key={`${operation} ${roles.join()}`}
      label="Permissions by table and role"
      corner="table"
      rows={tables.map(({ key }) => key)}
      columns={compared ? [...heads, 'difference'] : heads}
      rowHeight={isMarks ? marksHeight : ruleHeight}
      kind={isMarks ? 'narrow' : 'wide'}
      {...{ chosen, choose, contentOf }}
    />
  );
}

function RoleHead({
  name,
  inherits,
}: {
  readonly name: string;
  readonly inherits: readonly string[];
}) {
  return (
    <>
      <span title={name}>{name}</span>
      {inherits.length > 0 && <small title={inherits.join(', ')}>from {inherits.join(', ')}</small>}
    </>
  );
}

interface DifferenceCellProps extends Pick<ViewGridProps, 'view' | 'rulesOf'> {
  readonly table: string;
}

function DifferenceCell({ view: { compared }, rulesOf, table }: DifferenceCellProps) {
  if (!compared) return null;
  const words = differencesAt(table, compared, rulesOf).map(
    (one) => `${one.operation}: ${one.words.join('; ')}`,
  );
  return (
    <span class="difference" title={words.join('\n')}>
      {words.map((line) => (
        <span key={line}>{line}</span>
      ))}
    </span>
  );
}
