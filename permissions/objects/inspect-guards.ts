import { isCall, isEventFunction, isOwnerCall, upsertFunction } from '../text/object-names.ts';
import { ident, qualified, sql } from '../text/sql-text.ts';
import { label, stateId } from './desired.ts';
import { dropCalled, dropViewed } from './drop-called.ts';
import { type Context, found, sealed } from './found.ts';
import {
  functionsQuery,
  policiesQuery,
  rowSecurityQuery,
  triggersQuery,
  viewsQuery,
} from './inspect-sql.ts';
import type { FoundObject } from './types.ts';

export async function rowSecurity(context: Context): Promise<readonly FoundObject[]> {
  const { rows } = await context.client.query<{ schema: string; name: string; enabled: boolean }>(
    rowSecurityQuery,
    [context.query.tables],
  );
  return rows.map((row) => (row.enabled ? securedTable(row) : openTable(row)));
}

function securedTable(row: { readonly schema: string; readonly name: string }): FoundObject {
  return found({
    kind: 'row security',
    id: stateId.rowSecurity(row),
    label: `row security on ${label(row)}`,
    definition: 'enabled',
    drop: [],
  });
}

/** Row security is on for every table of Rowgate's own, whatever the metadata says: its absence is what must go. */
function openTable(row: { readonly schema: string; readonly name: string }): FoundObject {
  return found({
    kind: 'row security',
    id: stateId.openTable(row),
    label: `access to ${label(row)} without row security`,
    definition: 'off',
    drop: [sql`alter table ${qualified(row)} enable row level security`],
  });
}

export async function policies(context: Context): Promise<readonly FoundObject[]> {
  const { rows } = await context.client.query<{
    schema: string;
    table: string;
    name: string;
    command: string;
    permissive: boolean;
    roles: string;
    comment: string | null;
    seal: string;
  }>(policiesQuery, [context.query.tables]);
  return rows
    .filter((row) => row.name.startsWith('rowgate/') || row.schema === 'rowgate')
    .map((row) => {
      const relation = { schema: row.schema, name: row.table };
      const facts = [row.command, row.permissive ? 'permissive' : 'restrictive', row.roles];
      return sealed(row, facts, {
        kind: 'policy',
        id: stateId.policy(relation, row.name),
        label: `policy ${row.name} on ${label(relation)}`,
        drop: [sql`drop policy ${ident(row.name)} on ${qualified(relation)}`],
      });
    });
}

export async function views(context: Context): Promise<readonly FoundObject[]> {
  const { rows } = await context.client.query<{
    schema: string;
    name: string;
    owner: string;
    options: string[];
    comment: string | null;
    seal: string;
  }>(viewsQuery);
  return rows.map((row) => {
    const barrier =
      row.options.join() === 'security_barrier=true' ? 'security_barrier' : row.options.join();
    return sealed(row, [row.owner, barrier], {
      kind: 'view',
      id: stateId.view(row.name),
      ...(row.schema === 'rowgate_api'
        ? { label: `view ${row.name}`, drop: [dropViewed(qualified(row))] }
        : { label: `policy view ${row.name}`, drop: [sql`drop view ${qualified(row)}`] }),
    });
  });
}

export async function functions(context: Context): Promise<readonly FoundObject[]> {
  const { rows } = await context.client.query<{
    schema: string;
    name: string;
    signature: string;
    target: string;
    owner: string;
    isOurs: boolean;
    comment: string | null;
    seal: string;
  }>(functionsQuery);
  return rows.map((row) => {
    if (isOwnerCall(row.schema, row.name)) {
      return sealed(row, [row.owner], {
        kind: 'function',
        id: stateId.function(row.name),
        label: `call ${row.name}`,
        drop: [dropCalled(row.target)],
      });
    }
    const upsert = upsertFunction(row.schema, row.name);
    if (upsert) {
      return sealed(row, [row.owner], {
        kind: 'function',
        id: stateId.function(row.name),
        label: `upsert ${upsert} ${row.name}`,
        drop: [dropCalled(row.target)],
      });
    }
    if (isCall(row.schema, row.name)) {
      return sealed(row, [], {
        kind: 'call',
        id: stateId.call(row.name),
        label: `call ${row.name}`,
        drop: [dropCalled(row.target)],
      });
    }
    if (row.schema === 'rowgate_api') {
      return sealed(row, [], {
        kind: 'api function',
        id: stateId.apiFunction(row.signature),
        label: `function rowgate_api.${row.signature}`,
        drop: [],
      });
    }
    const forEvents = isEventFunction(row.schema, row.name);
    return sealed(row, forEvents ? [row.isOurs ? 'owner' : row.owner] : [], {
      kind: 'function',
      id: stateId.function(row.name),
      label: `${forEvents ? 'event' : 'preset'} function ${row.name}`,
      drop: [sql`drop function ${qualified({ schema: 'rowgate_policy', name: row.name })}()`],
    });
  });
}

export async function triggers(context: Context): Promise<readonly FoundObject[]> {
  const { rows } = await context.client.query<{
    schema: string;
    table: string;
    name: string;
    functionSchema: string;
    function: string;
    enabled: string;
    type: number;
    rows: string;
    plain: boolean;
  }>(triggersQuery);
  return rows.map((row) => {
    const relation = { schema: row.schema, name: row.table };
    return found({
      kind: 'trigger',
      id: stateId.trigger(relation, row.name),
      label: `trigger ${row.name} on ${label(relation)}`,
      definition: JSON.stringify([row.functionSchema, row.function, row.enabled, timingOf(row)]),
      drop: [sql`drop trigger ${ident(row.name)} on ${qualified(relation)}`],
    });
  });
}

/** When triggers of ours fire, by `tgtype` and the names of the transition tables. */
const timings: Readonly<Record<string, string>> = {
  '23  ': 'before row insert update',
  '4  rowgate_new': 'after statement insert',
  '16 rowgate_old rowgate_new': 'after statement update',
  '8 rowgate_old ': 'after statement delete',
  '60  ': 'after statement insert update delete truncate',
};

function timingOf(row: { readonly type: number; readonly rows: string; readonly plain: boolean }) {
  return (row.plain && timings[`${row.type} ${row.rows}`]) || 'other';
}
