import { ident, literal, type SqlText, sql } from '../text/sql-text.ts';
import type { Model } from '../types/model.ts';
import { desired, stateId } from './desired.ts';
import type { DesiredObject } from './types.ts';

/** Who the gateway logs in as. */
export interface GatewayLogin {
  readonly name: string;
  /** Whether Rowgate makes the login itself; else it must be there. */
  readonly managed: boolean;
}

/** Facts about the server that change how roles are written. */
export interface RoleTarget {
  readonly installation: string;
  /** e.g. 180004. */
  readonly serverVersion: number;
}

/** What a role's comment says where it is this installation's own. */
export function roleComment(installation: string): string {
  return `rowgate:${installation}`;
}

/** Definition of a role: may it log in, and none of the powers. */
export function roleDefinition(login: boolean): string {
  return login ? 'login noinherit' : 'nologin';
}

export function roleObject(name: string, login: boolean, target: RoleTarget): DesiredObject {
  const attributes = login ? sql`login noinherit` : sql`nologin`;
  return desired({
    kind: 'role',
    id: stateId.role(name),
    label: `role ${name}`,
    definition: roleDefinition(login),
    create: [
      sql`create role ${ident(name)} ${attributes}`,
      sql`comment on role ${ident(name)} is ${literal(roleComment(target.installation))}`,
    ],
    alter: [sql`alter role ${ident(name)} ${attributes} nocreaterole`],
  });
}

/** How a membership that only allows to switch is written down: 16 and later tell inherit and set apart. */
export function membershipDefinition(serverVersion: number): string {
  return serverVersion >= 160000 ? 'set' : 'member';
}

export function membershipObject(role: string, member: string, target: RoleTarget): DesiredObject {
  const options: SqlText =
    target.serverVersion >= 160000 ? sql` with inherit false, set true` : sql``;
  return desired({
    kind: 'membership',
    id: stateId.membership(role, member),
    label: `grant ${role} to ${member}`,
    definition: membershipDefinition(target.serverVersion),
    create: [sql`grant ${ident(role)} to ${ident(member)}${options}`],
  });
}

/** The Postgres roles that metadata asks for: one per role of the model, and the two of the system. */
export function compiledRoles(model: Model): readonly string[] {
  return [...model.roles.values()].map((role) => role.postgresName);
}
