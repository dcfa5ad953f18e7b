import type { Report } from '../../diagnostics.ts';
import type { FunctionModel } from '../../types/functions.ts';
import type { RoleModel } from '../../types/model.ts';
import type { TableModel } from '../../types/tables.ts';
import { readsWholeRow } from '../computed-fields/computed-access.ts';
import type { TrackedFunction } from '../functions/functions.ts';
import { reportUnknownRoles } from './unknown-roles.ts';

interface FunctionRoles {
  readonly tables: ReadonlyMap<string, TableModel>;
  /**
   * Whether a role may call a query function when it may select the returned rows, although the function's file does
   * not list the role. Volatile functions are excluded.
   */
  readonly inferred: boolean;
  readonly report: Report;
}

/**
 * Adds to each role the functions that it may call: functions whose file lists the role or a role that it inherits
 * from. The admin role may call all functions. In every case, the role must be able to select the rows that the
 * function returns.
 */
export function withFunctions(
  roles: ReadonlyMap<string, Omit<RoleModel, 'functions'>>,
  functions: readonly TrackedFunction[],
  parentsOf: (role: string) => readonly string[],
  { tables, inferred, report }: FunctionRoles,
): ReadonlyMap<string, RoleModel> {
  const known = [...roles.keys()].filter((one) => one !== 'admin');
  for (const { raw } of functions) {
    for (const { name, position } of raw.permissions) {
      if (name === 'admin') {
        const message = 'the role "admin" may call every function';
        report.error('RG_RESERVED_ROLE', position, message, 'leave it out');
        continue;
      }
      reportUnknownRoles([{ name, position }], known, report);
    }
  }
  const callable = (role: Omit<RoleModel, 'functions'>) => {
    const names = withAncestors(role.name, parentsOf);
    return functions.flatMap(({ raw, model }) => {
      const listed = raw.permissions.find(({ name }) => names.has(name));
      const isInferred = role.name === 'admin' || (inferred && changesNothing(model));
      if (!listed && !isInferred) return [];
      const problem = problemOf(role, model, tables);
      if (!problem) return [model.key];
      if (listed) {
        const message = `role "${role.name}" cannot call ${labelOf(model)}: ${problem.message}`;
        report.warning('RG_FUNCTION', listed.position, message, problem.hint);
      }
      return [];
    });
  };
  return new Map([...roles].map(([name, role]) => [name, { ...role, functions: callable(role) }]));
}

// A volatile function may write, even when GraphQL offers it as a query. So it needs explicit permission.
function changesNothing({ exposedAs, isVolatile }: FunctionModel): boolean {
  return exposedAs === 'query' && !isVolatile;
}

/** Returns a role and all roles that it inherits from. */
export function withAncestors(
  role: string,
  parentsOf: (role: string) => readonly string[],
): ReadonlySet<string> {
  const found = new Set([role]);
  // The loop also visits names that it adds to the set.
  for (const name of found) for (const parent of parentsOf(name)) found.add(parent);
  return found;
}

function problemOf(
  { tables: rules }: Omit<RoleModel, 'functions'>,
  { result, rights }: FunctionModel,
  tables: ReadonlyMap<string, TableModel>,
): { readonly message: string; readonly hint: string } | undefined {
  const table = tables.get(result.table);
  const select = rules.get(result.table)?.select;
  if (!table || !select) {
    const message = `it may not select ${table ? labelOf({ function: table }) : result.table}, whose rows that returns`;
    return { message, hint: 'give the role a select rule there' };
  }
  if (rights === 'owner' || readsWholeRow(select, table)) return undefined;
  return {
    message: `it acts with the rights of its caller, who does not read every column of ${labelOf({ function: table })}`,
    hint: 'write rights: owner, or let the role select every column',
  };
}

function labelOf({ function: { schema, name } }: Pick<FunctionModel, 'function'>): string {
  return `${schema}.${name}`;
}
