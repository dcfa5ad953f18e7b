import { roleComment } from '../../objects/roles/role.ts';
import { ident } from '../../text/sql-text.ts';
import type { DatabaseRule } from '../inspection.ts';

/**
 * Reports roles that have the name of one of Rowgate's roles but another creator. Apply must not give rights to them.
 */
export const foreignRoles: DatabaseRule = async ({ seen, report }) => {
  for (const { name, comment, strangers } of seen.roles.foreignRoles) {
    if (comment === roleComment(seen.installation.id)) {
      report.error(
        'RG_FOREIGN_ROLE',
        undefined,
        `the Postgres role "${name}" has other administrators, who may have created it (${strangers})`,
        `as a superuser: drop it or, where Rowgate made it, revoke admin option for ${ident(name).text} from them`,
      );
      continue;
    }
    const owner = comment?.startsWith('rowgate:')
      ? 'another installation of Rowgate'
      : 'another owner';
    report.error(
      'RG_FOREIGN_ROLE',
      undefined,
      `the Postgres role "${name}" belongs to ${owner}`,
      'set ROWGATE_ROLE_PREFIX to a prefix of your own',
    );
  }
};

/** Reports Rowgate's roles that have an attribute which no rule limits, such as superuser or BYPASSRLS. */
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

/**
 * Reports a configured login of the gateway that does not exist. Apply grants the roles to this login but does not
 * create it, so apply would fail.
 */
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
