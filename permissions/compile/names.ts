import { createHash } from 'node:crypto';
import { maxNameBytes } from '../model/names.ts';
import type { Model } from '../model/types.ts';

export const policySchema = 'rowgate_policy';
export const presetTrigger = '!rowgate/preset';

/** Names of the Postgres roles that are no role of the metadata. */
export interface SystemRoles {
  /** Marker: whose session_user is a member, that connection's `gql.*` settings count. */
  readonly gateway: string;
  /** Owner of the policy views; nobody is a member. */
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
