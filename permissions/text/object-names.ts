import { createHash } from 'node:crypto';

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
export const presetTrigger = '!rowgate/preset';

/** Names of the Postgres roles that do not come from the metadata. */
export interface SystemRoles {
  /** A marker role. Postgres trusts the `gql.*` settings of a connection only if its session_user is a member. */
  readonly gateway: string;
  /** Owner of the policy views and of the functions that upserts call. It has no members. */
  readonly policy: string;
}

export function systemRoles(model: { readonly rolePrefix: string }): SystemRoles {
  return { gateway: `${model.rolePrefix}gateway`, policy: `${model.rolePrefix}policy` };
}

export function digest(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 16);
}

/** `rowgate/investor/select`. A digest replaces the role if the name would be too long for Postgres. */
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
 * The name of the trigger that captures one operation. It sorts before other triggers, so an event comes before the
 * events of changes that other triggers of the statement make. A child table also has the trigger of each parent,
 * distinguished by the function name.
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

const callPrefix = 'call_';

/** The name of the function in schema rowgate_policy through which rules call a user-defined function. */
export function callName(facts: string): string {
  return callPrefix + digest(facts);
}

/**
 * Returns whether rules call a user-defined function through this one. The other functions of the schema fill presets.
 */
export function isCall(schema: string, name: string): boolean {
  return schema === policySchema && name.startsWith(callPrefix);
}

const viewPrefixes = { computed: 'computed_', rows: 'rows_', write: 'write_' };

/** The name of the view in schema rowgate_api that shows one role the computed fields of one table. */
export function computedViewName(role: string, table: string): string {
  return `${viewPrefixes.computed}${digest(JSON.stringify([role, table]))}`;
}

/** The name of the view in schema rowgate_api through which one role reads one table. */
export function rowsViewName(role: string, table: string): string {
  return `${viewPrefixes.rows}${digest(JSON.stringify([role, table]))}`;
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

/** Returns whether a function is an owner call, by its schema and name. */
export function isOwnerCall(schema: string, name: string): boolean {
  const prefixes = Object.values(ownerCallPrefixes);
  return schema === apiSchema && prefixes.some((prefix) => name.startsWith(prefix));
}

/**
 * Name prefixes by kind: `guard` is the update check, `finder` the conflict lookup, `sight` the visibility check.
 * The labels of a plan print the kind, so it stays as it is.
 */
const upsertPrefixes = { guard: 'may_update_', finder: 'in_the_way_', sight: 'may_see_' };

/** The name of the function in schema rowgate_api that checks the updates of upserts, for one role and table. */
export function updateCheckName(facts: string): string {
  return upsertPrefixes.guard + digest(facts);
}

/**
 * The name of the function in schema rowgate_api that looks up, for one role, conflicting rows by a key that the
 * role may not read.
 */
export function conflictLookupName(facts: string): string {
  return upsertPrefixes.finder + digest(facts);
}

/** The name of the function in schema rowgate_api that checks for a conflict lookup whether the role sees the row. */
export function visibilityCheckName(facts: string): string {
  return upsertPrefixes.sight + digest(facts);
}

const upsertKinds = ['guard', 'finder', 'sight'] as const;

/**
 * Returns the kind of an upsert function of schema rowgate_api, by its name or signature; undefined for other
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
