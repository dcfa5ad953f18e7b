import { type Matrix, operations } from '../api/answers.ts';
import type { Values } from '../shell/place.ts';
import { suggestColumns } from './view.ts';

interface FiltersProps {
  readonly matrix: Matrix;
  readonly values: Values;
  /** Sets some values of the address. */
  readonly set: (values: Values) => void;
}

/** The fields that choose what the matrix shows. */
export function Filters({ matrix, values, set }: FiltersProps) {
  const roles = matrix.roles.map(({ name }) => name);
  const compare = (one: string | undefined, other: string | undefined) =>
    set({ compare: one, with: other });
  return (
    <form class="filters" aria-label="Filters" onSubmit={(event) => event.preventDefault()}>
      <label>
        Table
        <input
          type="search"
          value={values.table ?? ''}
          placeholder="part of a name"
          onInput={({ currentTarget }) => set({ table: currentTarget.value })}
        />
      </label>
      <label>
        Role
        <input
          type="search"
          value={values.role ?? ''}
          placeholder="part of a name"
          onInput={({ currentTarget }) => set({ role: currentTarget.value })}
        />
      </label>
      <label>
        Operation
        <select
          value={values.operation ?? 'select'}
          onChange={({ currentTarget }) => set({ operation: currentTarget.value })}
        >
          {operations.map((one) => (
            <option key={one}>{one}</option>
          ))}
          <option value="all">all, as marks</option>
        </select>
      </label>
      <label>
        Who can use the column
        <input
          type="search"
          list="columns"
          value={values.column ?? ''}
          placeholder="table.column"
          onInput={({ currentTarget }) => set({ column: currentTarget.value })}
        />
        <datalist id="columns">
          {suggestColumns(values.column ?? '', matrix).map((name) => (
            <option key={name} value={name} />
          ))}
        </datalist>
      </label>
      <span class="pair">
        <RoleChoice
          label="Compare"
          roles={roles}
          chosen={values.compare}
          choose={(one) => compare(one, values.with)}
        />
        <RoleChoice
          label="with"
          roles={roles}
          chosen={values.with}
          choose={(other) => compare(values.compare, other)}
        />
      </span>
    </form>
  );
}

interface RoleChoiceProps {
  readonly label: string;
  readonly roles: readonly string[];
  readonly chosen: string | undefined;
  readonly choose: (role: string) => void;
}

function RoleChoice({ label, roles, chosen = '', choose }: RoleChoiceProps) {
  return (
    <label>
      {label}
      <select value={chosen} onChange={({ currentTarget }) => choose(currentTarget.value)}>
        <option value="">no role</option>
        {roles.map((name) => (
          <option key={name}>{name}</option>
        ))}
      </select>
    </label>
  );
}
