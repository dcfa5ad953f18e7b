import { createHash } from 'node:crypto';

import { maxNameBytes } from './names.ts';

/** A view or function of the database, by its name. */
export interface ObjectName {
  readonly schema: string;
  readonly name: string;
}

export const policySchema = 'rowgate_policy';
/** Of the functions that people and gateways call. */
export const apiSchema = 'rowgate_api';
/** Every schema that the migrations of the gateway create. */
export const gatewaySchemas = ['rowgate', apiSchema, 'rowgate_events', policySchema];
export const presetTrigger = '!rowgate/preset';

/** Names of the Postgres roles that are no role of the metadata. */
export interface SystemRoles {
  /** Marker: whose session_user is a member, that connection's `gql.*` settings count. */
  readonly gateway: string;
  /** Owner of the policy views and of what upserts call; nobody is a member. */
  readonly policy: string;
}

export function systemRoles(model: { readonly rolePrefix: string }): SystemRoles {
  return { gateway: `${model.rolePrefix}gateway`, policy: `${model.rolePrefix}policy` };
}

export function digest(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 16);
}

/** `rowgate/investor/select`; a role too long for a name gives way to its digest. */
export function policyName(role: string, command: string): string {
  const name = `rowgate/${role}/${command}`;
  return Buffer.byteLength(name) > maxNameBytes ? `rowgate/${digest(role)}/${command}` : name;
}

/** A function of people's own within its schema: its name and the types that it takes, whatever finds them. */
export function calledAs(
  name: string,
  types: readonly { readonly schema: string; readonly name: string }[],
): string {
  return JSON.stringify([name, ...types.map((type) => [type.schema, type.name])]);
}

const eventPrefix = '!rowgate/event/';

/**
 * The name of the trigger that tells of one operation. It sorts first, so that what other triggers of the statement
 * change is told after the statement itself. A table below another one has that one's too, by the function's name.
 */
export function eventTriggerName(operation: string, inherited: string | undefined): string {
  return `${eventPrefix}${operation}${inherited === undefined ? '' : `/${inherited}`}`;
}

/** Whether a trigger, by its name, tells of events. */
export function isEventTrigger(name: string): boolean {
  return name.startsWith(eventPrefix);
}

const eventFunctionPrefix = 'event_';

/** The name of the function of schema rowgate_policy that captures the events of one table. */
export function eventFunctionName(facts: string): string {
  return eventFunctionPrefix + digest(facts);
}

/** Whether a function of schema rowgate_policy is such a one. */
export function isEventFunction(schema: string, name: string): boolean {
  return schema === policySchema && name.startsWith(eventFunctionPrefix);
}

const callPrefix = 'call_';

/** The name of the function of schema rowgate_policy through which rules call one of people's own. */
export function callName(facts: string): string {
  return callPrefix + digest(facts);
}

/** Whether a function of schema rowgate_policy is such a one; presets have the others. */
export function isCall(schema: string, name: string): boolean {
  return schema === policySchema && name.startsWith(callPrefix);
}

const viewPrefixes = { computed: 'computed_', rows: 'rows_', write: 'write_' };

/** The name of the view of schema rowgate_api that shows one role the computed fields of one table. */
export function computedViewName(role: string, table: string): string {
  return `${viewPrefixes.computed}${digest(JSON.stringify([role, table]))}`;
}

/** The name of the view of schema rowgate_api by which one role reads one table. */
export function rowsViewName(role: string, table: string): string {
  return `${viewPrefixes.rows}${digest(JSON.stringify([role, table]))}`;
}

/** The name of the view of schema rowgate_api by which one role writes one view of people's own. */
export function writeViewName(role: string, table: string, write: string): string {
  return `${viewPrefixes.write}${digest(JSON.stringify([role, table, write]))}`;
}

const ownerCallPrefixes = { function: 'function_', field: 'field_' };

/** The name of the function of schema rowgate_api by which one role calls one of people's own as its owner. */
export function ownerCallName(kind: keyof typeof ownerCallPrefixes, facts: string): string {
  return ownerCallPrefixes[kind] + digest(facts);
}

/** Whether a function of schema rowgate_api is such a one. */
export function isOwnerCall(schema: string, name: string): boolean {
  const prefixes = Object.values(ownerCallPrefixes);
  return schema === apiSchema && prefixes.some((prefix) => name.startsWith(prefix));
}

const upsertPrefixes = { guard: 'may_update_', finder: 'in_the_way_', sight: 'may_see_' };

/** The name of the function of schema rowgate_api that guards the upserts of one role on one table. */
export function upsertGuardName(facts: string): string {
  return upsertPrefixes.guard + digest(facts);
}

/** The name of the function of schema rowgate_api that finds, for one role, rows by a key that it may not read. */
export function upsertFinderName(facts: string): string {
  return upsertPrefixes.finder + digest(facts);
}

/** The name of the function of schema rowgate_api that tells such a finder whether the role sees the row. */
export function upsertSightName(facts: string): string {
  return upsertPrefixes.sight + digest(facts);
}

const upsertKinds = ['guard', 'finder', 'sight'] as const;

/** Which of these a function of schema rowgate_api is, by its name or signature; undefined: none. */
export function upsertFunction(
  schema: string,
  name: string,
): (typeof upsertKinds)[number] | undefined {
  if (schema !== apiSchema) return undefined;
  return upsertKinds.find((kind) => name.startsWith(upsertPrefixes[kind]));
}

const apiPrefixes = Object.values({ ...viewPrefixes, ...ownerCallPrefixes, ...upsertPrefixes });
const apiObject = new RegExp(`\\b(?:${apiSchema}|(?:${apiPrefixes.join('|')})[0-9a-f]{16})\\b`);

/** Whether a message of Postgres names schema rowgate_api or what it holds, with the schema or without. */
export function namesApiObject(message: string): boolean {
  return apiObject.test(message);
}
