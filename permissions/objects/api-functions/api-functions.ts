import { takesSession } from '../../model/functions/named-functions.ts';
import { sql } from '../../text/sql-text.ts';
import type { Model } from '../../types/model.ts';
import { type ApiFunction, apiFunctionObject } from '../functions/api-function.ts';
import { executeObject } from '../privileges/execute.ts';
import type { DesiredObject } from '../state/state-object.ts';
import { insertElse } from './insert-else.ts';
import { liveChanges, liveStart, liveSweep } from './live-ledger.ts';
import { updateEach } from './update-each.ts';

const text = sql`pg_catalog.text`;
const reader = sql`language sql stable parallel safe security definer
  set search_path = pg_catalog, pg_temp`;

const apiFunctions = {
  login_variable: {
    signature: 'login_variable(text)',
    target: sql`rowgate_api.login_variable(${text})`,
    head: sql`rowgate_api.login_variable(name ${text})`,
    returns: text,
    traits: reader,
    body: sql`
  select v.value
  from rowgate.login_variable v
  where v.login = (select r.oid from pg_catalog.pg_roles r where r.rolname = session_user)::regrole
    and v.name = $1`,
    comment: 'A session variable of the login that this connection was opened with.',
  },
  session_variable: {
    signature: 'session_variable(text)',
    target: sql`rowgate_api.session_variable(${text})`,
    head: sql`rowgate_api.session_variable(name ${text})`,
    returns: text,
    traits: reader,
    body: sql`
  select case
    when (select pg_has_role(session_user, i.gateway_role, 'MEMBER') from rowgate.installation i)
      then nullif(current_setting('gql.' || $1, true), '')
    else rowgate_api.login_variable($1)
  end`,
    comment:
      'A session variable by its lower-case name; null where it is missing or empty. For column defaults.',
  },
  session_variables: {
    signature: 'session_variables(text)',
    target: sql`rowgate_api.session_variables(${text})`,
    head: sql`rowgate_api.session_variables(prefix ${text})`,
    returns: sql`pg_catalog.jsonb`,
    traits: reader,
    body: sql`
  select case
    when (select pg_has_role(session_user, i.gateway_role, 'MEMBER') from rowgate.installation i)
      then coalesce(nullif(current_setting('rowgate.session', true), '')::jsonb, '{}')
    else coalesce((
      select jsonb_object_agg($1 || replace(v.name, '_', '-'), v.value)
      from rowgate.login_variable v
      where v.login = (select r.oid from pg_catalog.pg_roles r where r.rolname = session_user)::regrole
    ), '{}')
  end`,
    comment:
      'All session variables of a request or login, by header name. For functions with a session argument.',
  },
  applied_fingerprint: {
    signature: 'applied_fingerprint()',
    target: sql`rowgate_api.applied_fingerprint()`,
    head: sql`rowgate_api.applied_fingerprint()`,
    returns: text,
    traits: reader,
    body: sql` select i.fingerprint from rowgate.installation i `,
    comment: 'The fingerprint of the metadata that was applied last.',
  },
  installation: {
    signature: 'installation()',
    target: sql`rowgate_api.installation()`,
    head: sql`rowgate_api.installation()`,
    returns: sql`pg_catalog.jsonb`,
    traits: reader,
    body: sql` select pg_catalog.to_jsonb(i) from rowgate.installation i `,
    comment:
      'Who this installation is and what was applied last, for a gateway that looks for drift.',
  },
  applied_objects: {
    signature: 'applied_objects()',
    target: sql`rowgate_api.applied_objects()`,
    head: sql`rowgate_api.applied_objects()`,
    returns: sql`pg_catalog.jsonb`,
    traits: reader,
    body: sql` select pg_catalog.jsonb_object_agg(o.id, o.definition) from rowgate.applied_object o `,
    comment: 'What was applied last, thing by thing, for a gateway that looks for drift.',
  },
  update_each: updateEach,
  insert_else: insertElse,
  live_changes: liveChanges,
  live_sweep: liveSweep,
  live_start: liveStart,
} satisfies Readonly<Record<string, ApiFunction>>;

type ApiFunctionName = keyof typeof apiFunctions;

/**
 * Returns the functions of the schema rowgate_api that policies, presets and gateways call. Only installations whose
 * metadata has functions with a session argument have `session_variables`.
 */
export function apiFunctionObjects(
  model: Pick<Model, 'tables' | 'functions'>,
): readonly DesiredObject[] {
  const { session_variables: ofSession, ...always } = apiFunctions;
  const needed = [
    ...Object.values<ApiFunction>(always),
    ...(takesSession(model) ? [ofSession] : []),
  ];
  return needed.map(apiFunctionObject);
}

/** Returns the EXECUTE privilege of a role on one of these functions. */
export function executeApiFunction(name: ApiFunctionName, role: string): DesiredObject {
  const { signature, target } = apiFunctions[name];
  return executeObject({ id: signature, label: signature, target }, role);
}
