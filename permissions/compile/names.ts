import { createHash } from 'node:crypto';
import { maxNameBytes } from '../model/names.ts';
import type { Model } from '../model/types.ts';

export const policySchema = 'rowgate_policy';
/** Of the functions that people and gateways call. */
export const apiSchema = 'rowgate_api';
export const presetTrigger = '!rowgate/preset';

/** Names of the Postgres roles that are no role of the metadata. */
export interface SystemRoles {
  /** Marker: whose session_user is a member, that connection's `gql.*` settings count. */
  readonly gateway: string;
  /** Owner of the policy views and of the upsert guards; nobody is a member. */
  readonly policy: string;
}

export function systemRoles(model: Pick<Model, 'rolePrefix'>): SystemRoles {
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

/** The name of the view of schema rowgate_api that shows one role the computed fields of one table. */
export function computedViewName(role: string, table: string): string {
  return `computed_${digest(JSON.stringify([role, table]))}`;
}

const upsertGuardPrefix = 'may_update_';

/** The name of the function of schema rowgate_api that guards the upserts of one role on one table. */
export function upsertGuardName(facts: string): string {
  return upsertGuardPrefix + digest(facts);
}

/** Whether a function of schema rowgate_api, by its name or signature, is such a guard. */
export function isUpsertGuard(schema: string, name: string): boolean {
  return schema === apiSchema && name.startsWith(upsertGuardPrefix);
}
