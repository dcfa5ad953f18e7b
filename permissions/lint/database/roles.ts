import { roleComment } from '../../objects/roles/role.ts';
import { ident } from '../../text/sql-text.ts';
import type { DatabaseRule } from '../inspection.ts';

/** Roles of others that have the names of ours. */
export const foreignRoles: DatabaseRule = async ({ seen, report }) => {
  for (const { name, comment, strangers } of seen.roles.foreignRoles) {
    if (comment === roleComment(seen.installation.id)) {
      report.error(
        'RG_FOREIGN_ROLE',
        undefined,
        `the Postgres role "${name}" may be handed out by others, who may have made it (${strangers})`,
        `as a superuser: drop it or, where Rowgate made it, revoke admin option for ${ident(name).text} from them`,
      );
      continue;
    }
    const owner = comment?.startsWith('rowgate:')
      ? 'another installation of Rowgate'
      : 'somebody else';
    report.error(
      'RG_FOREIGN_ROLE',
      undefined,
      `the Postgres role "${name}" belongs to ${owner}`,
      'set ROWGATE_ROLE_PREFIX to a prefix of your own',
    );
  }
};

/** Our roles with powers that rules cannot limit. */
export const powerfulRoles: DatabaseRule = async ({ seen, report }) => {
  for (const name of seen.roles.powerfulRoles) {
    report.error(
      'RG_EXTRA_PRIVILEGE',
      undefined,
      `the Postgres role "${name}" is superuser, may bypass row security, replicate or create databases`,
      `as a superuser: alter role "${name}" nosuperuser nobypassrls noreplication nocreatedb`,
    );
  }
};

/** A configured login must exist; Rowgate grants it the roles. */
export const missingLogin: DatabaseRule = async ({ seen, report }) => {
  const { login, roles } = seen;
  if (login.managed || roles.loginExists) return;
  report.error(
    'RG_FOREIGN_ROLE',
    undefined,
    `the login "${login.name}" of ROWGATE_GATEWAY_DATABASE_URL does not exist`,
    `create role "${login.name}" login noinherit password …`,
  );
};
