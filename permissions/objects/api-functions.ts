import { literal, type SqlText, sql } from '../text/sql-text.ts';
import { commented, stateId } from './desired.ts';
import { insertElse } from './insert-else.ts';
import type { DesiredObject } from './types.ts';
import { updateEach } from './update-each.ts';

/** A function of schema rowgate_api: everything that decides what it answers and with whose rights. */
export interface ApiFunction {
  /** As the catalogs render it, e.g. `login_variable(text)`. */
  readonly signature: string;
  readonly target: SqlText;
  readonly head: SqlText;
  readonly returns: SqlText;
  /** Language, volatility, whose rights count, and settings. */
  readonly traits: SqlText;
  readonly body: SqlText;
  readonly comment: string;
}

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
} satisfies Readonly<Record<string, ApiFunction>>;

export type ApiFunctionName = keyof typeof apiFunctions;

/** How a function of schema rowgate_api is named, in the catalogs and in SQL. */
export function apiFunction(name: ApiFunctionName): Pick<ApiFunction, 'signature' | 'target'> {
  return apiFunctions[name];
}

/** The functions that policies, presets and gateways call. */
export function apiFunctionObjects(): readonly DesiredObject[] {
  return Object.values<ApiFunction>(apiFunctions).map(apiFunctionObject);
}

/** It is put right in place, since policies and other people's column defaults may depend on it. */
export function apiFunctionObject(called: ApiFunction): DesiredObject {
  const { signature, target, head, returns, traits, body, comment } = called;
  const definition = sql`${head} returns ${returns}
  ${traits}
  as ${literal(body.text)}`;
  const object = commented({
    kind: 'api function',
    id: stateId.apiFunction(signature),
    label: `function rowgate_api.${signature}`,
    facts: [],
    body: definition,
    target: sql`function ${target}`,
    create: [
      sql`create or replace function ${definition}`,
      sql`revoke all on function ${target} from public`,
    ],
    note: comment,
  });
  return { ...object, alter: object.create };
}
