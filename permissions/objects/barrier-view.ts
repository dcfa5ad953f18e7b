import type { Position } from '../diagnostics.ts';
import { ident, join, qualified, type SqlText, sql } from '../text/sql-text.ts';
import { commented, stateId } from './desired.ts';
import type { DesiredObject } from './types.ts';

/** A view that shows rows of what its owner may read. */
export interface BarrierView {
  readonly name: { readonly schema: string; readonly name: string };
  readonly label: string;
  readonly owner: string;
  readonly query: SqlText;
  /** What is written by it must be such that it shows it; cascaded: and such that the views below show it. */
  readonly checked?: 'local' | 'cascaded' | undefined;
  /** What gives its columns defaults. */
  readonly defaults?: readonly SqlText[];
  readonly position?: Position | undefined;
}

/** No condition of a reader's own is asked of rows that the view does not show. */
export function barrierView({
  name,
  owner,
  query,
  checked,
  defaults = [],
  ...told
}: BarrierView): DesiredObject {
  const target = sql`view ${qualified(name)}`;
  const options = checked
    ? sql`security_barrier, check_option = ${ident(checked)}`
    : sql`security_barrier`;
  return commented({
    ...told,
    kind: 'view',
    id: stateId.view(name.name),
    facts: [owner, checked ? `security_barrier=true,check_option=${checked}` : 'security_barrier'],
    body: join([query, ...defaults], '\n'),
    target,
    create: [
      sql`create ${target} with (${options}) as ${query}`,
      ...defaults,
      sql`alter ${target} owner to ${ident(owner)}`,
    ],
  });
}
