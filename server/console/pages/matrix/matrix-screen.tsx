import { useMemo } from 'preact/hooks';
import { Details } from '../shell/details.tsx';
import type { Values } from '../shell/place.ts';
import type { ScreenProps } from '../shell/screens.ts';
import { Title } from '../shell/title.tsx';
import { DifferenceCell, Marks, RuleCell } from './cell.tsx';
import { AllRules, DifferenceWords } from './details.tsx';
import { Filters } from './filters.tsx';
import { type Cell, Grid } from './grid.tsx';
import { indexRules } from './rules.ts';
import { differencesAt, findColumn, viewOf } from './view.ts';
import { WhoCan } from './who-can.tsx';

/** The heights of rows in pixels, by kind of grid. A comparison has a line for each operation. */
const rowHeights = { wide: 84, narrow: 36, compared: 104 } as const;

/** The matrix of roles and tables, with filters, the question about a column, and the comparison of two roles. */
export function MatrixScreen({ place, go, matrix }: ScreenProps) {
  const { values } = place;
  const rulesOf = useMemo(() => indexRules(matrix), [matrix]);
  const view = useMemo(() => viewOf(values, matrix, rulesOf), [values, matrix, rulesOf]);
  const set = (changed: Values) =>
    go({ screen: 'matrix', values: { ...values, ...changed } }, 'replace');
  const question = findColumn(values.column ?? '', matrix);
  return (
    <>
      <Title>Who may see and change what</Title>
      <Filters matrix={matrix} values={values} set={set} />
      {question && <WhoCan {...{ matrix, rulesOf, go, ...question }} />}
      {values.column && !question && (
        <p class="quiet" role="status">
          There is no column “{values.column}”. Write table.column, or choose a suggestion.
        </p>
      )}
      <Legend view={view} />
      {view.tables.length === 0 || view.roles.length === 0 ? (
        <p role="status">{nothingWords(view)}</p>
      ) : (
        <GridAndDetails {...{ values, go, matrix, view, rulesOf }} />
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

interface ViewProps extends Pick<ScreenProps, 'go' | 'matrix'> {
  readonly values: Values;
  readonly view: View;
  readonly rulesOf: ReturnType<typeof indexRules>;
}

/** The grid, and beside it the rules of the chosen cell. In a comparison, a cell without a role has the differences. */
function GridAndDetails({ values, go, matrix, view, rulesOf }: ViewProps) {
  const { roles, tables, compared } = view;
  const row = tables.findIndex(({ key }) => key === values.on);
  const column =
    values.as === undefined && compared ? roles.length : roles.indexOf(values.as ?? '');
  const chosen = row >= 0 && column >= 0 ? { row, column } : undefined;
  const [table, role] = [tables[row], roles[column]];
  const show = (on: string | undefined, as: string | undefined, how: 'push' | 'replace') =>
    go({ screen: 'matrix', values: { ...values, on, as } }, how);
  const close = () => {
    show(undefined, undefined, 'replace');
    document.querySelector<HTMLElement>('[role=gridcell][tabindex="0"]')?.focus();
  };
  return (
    <div class={chosen ? 'beside' : ''}>
      <ViewGrid
        {...{ matrix, view, rulesOf, chosen }}
        choose={(cell) => show(tables[cell.row]?.key, roles[cell.column], 'push')}
      />
      {chosen && table && (
        <Details title={`${role ?? roles.join(' and ')} on ${table.key}`} close={close}>
          {role === undefined ? (
            <DifferenceWords found={differencesAt(table.key, compared, rulesOf)} />
          ) : (
            <AllRules {...{ role, table, go }} rules={rulesOf(table.key, role)} />
          )}
        </Details>
      )}
    </div>
  );
}

interface ViewGridProps extends Pick<ViewProps, 'matrix' | 'view' | 'rulesOf'> {
  readonly chosen: Cell | undefined;
  readonly choose: (cell: Cell) => void;
}

function ViewGrid({ matrix, view, rulesOf, chosen, choose }: ViewGridProps) {
  const { compared, operation, roles, tables } = view;
  const inherits = new Map(matrix.roles.map((role) => [role.name, role.inherits]));
  const heads = roles.map((name) => <RoleHead name={name} inherits={inherits.get(name) ?? []} />);
  const contentOf = ({ row, column }: Cell) => {
    const table = tables[row];
    const role = roles[column];
    if (!table) return null;
    if (role === undefined) {
      return <DifferenceCell found={differencesAt(table.key, compared, rulesOf)} />;
    }
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
      rowHeight={rowHeights[kindOf(view)]}
      kind={kindOf(view)}
      {...{ chosen, choose, contentOf }}
    />
  );
}

function kindOf({ compared, operation }: View): keyof typeof rowHeights {
  if (compared) return 'compared';
  return operation === 'all' ? 'narrow' : 'wide';
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
