import { viewsOf } from '../../login/drop-views.ts';
import { requireInstallation } from '../../login/in-transaction.ts';
import { type DirectLogin, listLogins } from '../../login/list-logins.ts';
import { defaultRolePrefix, headerOf } from '../../text/names.ts';
import type { Command, ExitCode } from '../context/command.ts';
import { withSnapshot } from '../context/connection.ts';
import { jsonOption } from '../context/options.ts';

/** `rowgate login list` shows all Postgres logins that have the rights of a role. */
export const loginList: Command = {
  name: 'login list',
  summary:
    'show the Postgres logins that have the rights of a role, with their variables and limits',
  options: jsonOption,
  run: (options, _positionals, context) =>
    withSnapshot<ExitCode>(context, async (client) => {
      const prefix = context.rolePrefix ?? defaultRolePrefix(client.database ?? '');
      const installation = await requireInstallation(client);
      const found = await listLogins(client, installation);
      const logins = found.map((login) => ({
        ...described(login, prefix, context.headerPrefix),
        views: login.roles.flatMap((role) => viewsOf(role, installation)?.[1] ?? [])[0] ?? null,
      }));
      if (options.json === true) context.print(JSON.stringify({ logins }, null, 2));
      else if (logins.length === 0) context.print('no logins');
      else for (const login of logins) context.print(line(login));
      return 0;
    }),
};

interface Described {
  readonly name: string;
  /** The schema with the views of its role; null when the role has none. */
  readonly views: string | null;
  /** Roles of the metadata whose rights the login has. `rowgate check` reports a login with more than one role. */
  readonly roles: readonly string[];
  /** Session variables of the login: values by header name. */
  readonly variables: Readonly<Record<string, string>>;
  readonly validUntil: string | null;
  readonly limits: DirectLogin['limits'];
  /** `hand`: a database administrator granted the role without `rowgate login create`. */
  readonly madeBy: 'rowgate' | 'hand';
}

function described(
  login: DirectLogin,
  prefix: string,
  headerPrefix: string,
): Omit<Described, 'views'> {
  return {
    name: login.name,
    roles: login.roles.map((role) => (role.startsWith(prefix) ? role.slice(prefix.length) : role)),
    variables: Object.fromEntries(
      Object.entries(login.variables).map(([name, value]) => [headerOf(name, headerPrefix), value]),
    ),
    validUntil: login.validUntil?.toISOString() ?? null,
    limits: login.limits,
    madeBy: login.managed ? 'rowgate' : 'hand',
  };
}

function line({ name, roles, variables, validUntil, limits, views, madeBy }: Described): string {
  return [
    name,
    roles.length === 0 ? '(no role)' : roles.join('+'),
    ...Object.entries(variables).map(([header, value]) => `${header}=${value}`),
    ...(validUntil === null ? [] : [`valid until ${validUntil}`]),
    `connection-limit=${limits.connections ?? 'none'}`,
    `statement-timeout=${limits.statementTimeout ?? 'none'}`,
    `idle-in-transaction-timeout=${limits.idleInTransactionTimeout ?? 'none'}`,
    ...(views === null ? [] : [`views=${views}`]),
    ...(madeBy === 'hand' ? ['(made by hand)'] : []),
  ].join('  ');
}
