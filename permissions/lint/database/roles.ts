import type { DatabaseRule } from './inspection.ts';

/** Roles that stand where ours should. */
export const foreignRoles: DatabaseRule = async ({ seen, report }) => {
  for (const { name, comment } of seen.roles.foreignRoles) {
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

/** Roles of ours that no rule of Postgres stops. */
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

/** A login that is given must exist; Rowgate then grants it the roles. */
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

/** Tables that whoever applies may not alter. */
export const foreignTables: DatabaseRule = async ({ seen, report }) => {
  const { model, catalog } = seen.loaded;
  for (const table of model.tables.values()) {
    if (catalog.tables.get(table.key)?.owned) continue;
    report.error(
      'RG_NOT_OWNER',
      table.position,
      `${table.schema}.${table.name} belongs to another role`,
      'let DATABASE_URL log in as the owner of the tables',
    );
  }
};
