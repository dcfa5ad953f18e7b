import { hash } from 'node:crypto';

import { maxNameBytes } from './names.ts';

/** The qualified name of a view or function in the database. */
export interface ObjectName {
  readonly schema: string;
  readonly name: string;
}

export const policySchema = 'rowgate_policy';
/** Schema of the functions and views that callers and gateways use. */
export const apiSchema = 'rowgate_api';
/** Every schema that the migrations of the gateway create. */
export const gatewaySchemas = ['rowgate', apiSchema, 'rowgate_events', policySchema];
/** The comment on a schema of views for direct logins. The catalog reader leaves out the views in them. */
export const loginSchemaComment = 'rowgate:views';
export const presetTrigger = '!rowgate/preset';

/** Names of the Postgres roles that every installation has, whatever its metadata declares. */
export interface SystemRoles {
  /**
   * A marker role whose only member is the gateway's login. Rules trust the `gql.*` settings of a connection only if
   * its session_user is a member.
   */
  readonly gateway: string;
  /** Owner of the policy views and of the functions that upserts call. It has no members. */
  readonly policy: string;
}

export function systemRoles(model: { readonly rolePrefix: string }): SystemRoles {
  return { gateway: `${model.rolePrefix}gateway`, policy: `${model.rolePrefix}policy` };
}

export function digest(text: string): string {
  return hash('sha256', text).slice(0, 16);
}

/**
 * Returns the name of a policy, e.g. `rowgate/investor/select`. When the name would be too long for Postgres, a digest
 * replaces the role.
 */
export function policyName(role: string, command: string): string {
  const name = `rowgate/${role}/${command}`;
  return Buffer.byteLength(name) > maxNameBytes ? `rowgate/${digest(role)}/${command}` : name;
}

/** The signature of a user-defined function within its schema: its name and argument types. */
export function calledAs(
  name: string,
  types: readonly { readonly schema: string; readonly name: string }[],
): string {
  return JSON.stringify([name, ...types.map((type) => [type.schema, type.name])]);
}

const eventPrefix = '!rowgate/event/';

/**
 * Returns the name of the trigger that captures one operation for events. The name sorts before the names of other
 * triggers, so that its event precedes the events of changes that these other triggers make. A child table has the
 * triggers of each parent, too; the name of the function distinguishes them.
 */
export function eventTriggerName(operation: string, inherited: string | undefined): string {
  return `${eventPrefix}${operation}${inherited === undefined ? '' : `/${inherited}`}`;
}

/** Returns whether a trigger with this name captures events. */
export function isEventTrigger(name: string): boolean {
  return name.startsWith(eventPrefix);
}

const eventFunctionPrefix = 'event_';

/** The name of the function in schema rowgate_policy that captures the events of one table. */
export function eventFunctionName(facts: string): string {
  return eventFunctionPrefix + digest(facts);
}

/** Returns whether a function captures events, by its schema and name. */
export function isEventFunction(schema: string, name: string): boolean {
  return schema === policySchema && name.startsWith(eventFunctionPrefix);
}

const livePrefix = '!rowgate/live/';

/**
 * Returns the name of the trigger that records the changes of one operation on a live table. A child table has the
 * triggers of each parent, too; the name of the function distinguishes them.
 */
export function liveTriggerName(operation: string, inherited: string | undefined): string {
  return `${livePrefix}${operation}${inherited === undefined ? '' : `/${inherited}`}`;
}

const liveFunctionPrefix = 'live_';

/** The name of the function in schema rowgate_policy that records the changes of one live table. */
export function liveFunctionName(facts: string): string {
  return liveFunctionPrefix + digest(facts);
}

/** Returns whether a function records the changes of a live table, by its schema and name. */
export function isLiveFunction(schema: string, name: string): boolean {
  return schema === policySchema && name.startsWith(liveFunctionPrefix);
}

const callPrefix = 'call_';

/** The name of the generated function in schema rowgate_policy through which rules call a user-defined function. */
export function callName(facts: string): string {
  return callPrefix + digest(facts);
}

/**
 * Returns whether rules call a user-defined function through the function with this name. All other functions of the
 * schema rowgate_policy fill presets.
 */
export function isCall(schema: string, name: string): boolean {
  return schema === policySchema && name.startsWith(callPrefix);
}

const viewPrefixes = {
  ...{ computed: 'computed_', rows: 'rows_', write: 'write_' },
  ...{ entry: 'entry_', key: 'key_' },
};

/** The name of the view in schema rowgate_api that shows one role the computed fields of one table. */
export function computedViewName(role: string, table: string): string {
  return `${viewPrefixes.computed}${digest(JSON.stringify([role, table]))}`;
}

/** The name of the view in schema rowgate_api through which one role reads one table. */
export function rowsViewName(role: string, table: string): string {
  return `${viewPrefixes.rows}${digest(JSON.stringify([role, table]))}`;
}

/** The name of the view in schema rowgate_api through which one role reads single rows of one table by key. */
export function keyRowsName(role: string, table: string): string {
  return `${viewPrefixes.key}${digest(JSON.stringify([role, table]))}`;
}

/** The name of the view in schema rowgate_api that is empty when one role sees no row of one table. */
export function entryCheckName(role: string, table: string): string {
  return `${viewPrefixes.entry}${digest(JSON.stringify([role, table]))}`;
}

/** The name of the view in schema rowgate_api through which one role writes one user-defined view. */
export function writeViewName(role: string, table: string, write: string): string {
  return `${viewPrefixes.write}${digest(JSON.stringify([role, table, write]))}`;
}

const ownerCallPrefixes = { function: 'function_', field: 'field_' };

/**
 * The name of the function in schema rowgate_api through which one role calls a user-defined function with the
 * owner's rights.
 */
export function ownerCallName(kind: keyof typeof ownerCallPrefixes, facts: string): string {
  return ownerCallPrefixes[kind] + digest(facts);
}

/** Returns whether the function with this name calls a user-defined function with the owner's rights for a role. */
export function isOwnerCall(schema: string, name: string): boolean {
  const prefixes = Object.values(ownerCallPrefixes);
  return schema === apiSchema && prefixes.some((prefix) => name.startsWith(prefix));
}

/**
 * Prefixes of function names, by kind: `guard` is the update check, `finder` the conflict lookup, `sight` the
 * visibility check. Plans print the kinds in labels that programs may read, so the kinds keep these words.
 */
const upsertPrefixes = { guard: 'may_update_', finder: 'in_the_way_', sight: 'may_see_' };

/**
 * The name of the update check of one role and table: the function in schema rowgate_api that returns whether an upsert
 * may update an existing row.
 */
export function updateCheckName(facts: string): string {
  return upsertPrefixes.guard + digest(facts);
}

/**
 * The name of the conflict lookup of one role and key: the function in schema rowgate_api that finds the existing row
 * of an upsert when the role may not read the key.
 */
export function conflictLookupName(facts: string): string {
  return upsertPrefixes.finder + digest(facts);
}

/**
 * The name of the visibility check of a conflict lookup: the function in schema rowgate_api that returns whether the
 * role may see the found row.
 */
export function visibilityCheckName(facts: string): string {
  return upsertPrefixes.sight + digest(facts);
}

const upsertKinds = ['guard', 'finder', 'sight'] as const;

/**
 * Returns the kind of a function for upserts in schema rowgate_api, by its name or signature; undefined for all other
 * functions.
 */
export function upsertFunction(
  schema: string,
  name: string,
): (typeof upsertKinds)[number] | undefined {
  if (schema !== apiSchema) return undefined;
  return upsertKinds.find((kind) => name.startsWith(upsertPrefixes[kind]));
}

const apiPrefixes = Object.values({ ...viewPrefixes, ...ownerCallPrefixes, ...upsertPrefixes });
const apiObject = new RegExp(`\\b(?:${apiSchema}|(?:${apiPrefixes.join('|')})[0-9a-f]{16})\\b`);

/** Returns whether a message of Postgres names schema rowgate_api or one of its objects, qualified or not. */
export function namesApiObject(message: string): boolean {
  return apiObject.test(message);
}
