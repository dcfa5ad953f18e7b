import { randomBytes } from 'node:crypto';
import { viewSchemaProblem } from '../../access/login-view-names.ts';
import { makeLoginViews } from '../../apply/make-login-views.ts';
import { CommandError } from '../../errors.ts';
import { passesEveryRow } from '../../expressions/combine.ts';
import { bindVariables } from '../../login/bind-variables.ts';
import { createLogin } from '../../login/create-login.ts';
import {
  connectionLimit,
  defaultLoginLimits,
  type LoginLimits,
  timeout,
} from '../../login/login-limits.ts';
import { loginNameProblem } from '../../login/login-name.ts';
import { takesSession } from '../../model/functions/named-functions.ts';
import { resolveModel } from '../../model/load-model.ts';
import { roleNamed } from '../../model/roles/role-named.ts';
import { quote } from '../../text/characters.ts';
import { headerOf } from '../../text/names.ts';
import type { Model, RoleModel } from '../../types/model.ts';
import type { VariableName } from '../../types/names.ts';
import type { Command, CommandContext } from '../context/command.ts';
import { withOwner } from '../context/connection.ts';
import { printMistakes } from '../context/findings.ts';
import { metadataOption, prepareOptions } from '../context/options.ts';

/** `rowgate login create` makes a direct login to Postgres that has the rights of one role. */
export const loginCreate: Command = {
  name: 'login create',
  summary: 'make a Postgres login that has the rights of one role and fixed session variables',
  positionals: [{ name: 'name', help: 'name of the login' }],
  options: {
    role: { type: 'string', help: 'the role of the metadata whose rights it gets' },
    var: {
      type: 'string',
      multiple: true,
      help: 'a session variable, like X-Gql-Organization-Id=…; once for each',
    },
    'password-stdin': {
      type: 'boolean',
      default: false,
      help: 'read the password from standard input instead of making one and printing it',
    },
    'connection-limit': {
      type: 'string',
      help: `its maximum number of connections at a time, or none (default ${defaultLoginLimits.connections})`,
    },
    'statement-timeout': {
      type: 'string',
      help: `its statement_timeout, or none (default ${defaultLoginLimits.statementTimeout}); the login may change it for itself`,
    },
    'idle-in-transaction-timeout': {
      type: 'string',
      help: `its idle_in_transaction_session_timeout, or none (default ${defaultLoginLimits.idleInTransactionTimeout}); the login may change it for itself`,
    },
    views: {
      type: 'boolean',
      default: false,
      help: 'make a schema with a view of each table that the role reads, so that select * works (Postgres 15 or later)',
    },
    'views-schema': {
      type: 'string',
      help: 'name of the schema of the views (default reporting_ and the role)',
    },
    ...metadataOption,
  },
  run: (options, [name = ''], context) =>
    printMistakes(context, false, async () => {
      const limits = limitsOf(options);
      const viewsSchema = viewsSchemaOf(options);
      const prepareWith = await prepareOptions(options, context);
      const stdin = options['password-stdin'] === true;
      const password = stdin ? await readPassword(context) : randomBytes(24).toString('base64url');
      await withOwner(context, async (client) => {
        const loaded = await resolveModel({ ...prepareWith, client });
        const { model } = loaded;
        refuseName(name, model);
        const role = roleNamed(options.role, 'login create', model);
        const { headerPrefix } = context;
        const given = (options.var ?? []) as readonly string[];
        const scope = { headerPrefix, takesSession: takesSession(model) };
        const bound = bindVariables(given, role, scope);
        if (bound.problems.length > 0) throw badVariables(bound.problems);
        const views = { ...prepareWith, loaded, role, schema: viewsSchema };
        const others = await createLogin(client, {
          ...{ name, role, variables: bound.values, password, headerPrefix, limits },
          makeViews: options.views === true ? () => makeLoginViews(client, views) : undefined,
        });
        printAbsent(bound.absent, role, context);
        printOtherDatabases(others, name, context);
        printEstimates(role, context);
      });
      context.printError(`made login ${name} with the rights of role ${String(options.role)}`);
      if (!stdin) {
        context.printError('its password, which is shown this once:');
        context.print(password);
      }
      return 0;
    }),
};

function limitsOf(options: Readonly<Record<string, unknown>>): LoginLimits {
  const text = (name: string, fallback: unknown) => String(options[name] ?? fallback);
  const timeoutOf = (name: string, fallback: string | null) =>
    timeout(`--${name}`, text(name, fallback));
  const { connections, statementTimeout, idleInTransactionTimeout } = defaultLoginLimits;
  return {
    connections: connectionLimit(text('connection-limit', connections)),
    statementTimeout: timeoutOf('statement-timeout', statementTimeout),
    idleInTransactionTimeout: timeoutOf('idle-in-transaction-timeout', idleInTransactionTimeout),
  };
}

/** Reads `--views-schema`. @throws CommandError (exit 2) */
function viewsSchemaOf(options: Readonly<Record<string, unknown>>): string | undefined {
  const name = options['views-schema'];
  if (name === undefined) return undefined;
  const problem =
    options.views === true
      ? viewSchemaProblem(String(name))
      : 'it has no effect without --views; add --views';
  if (problem === undefined) return String(name);
  throw new CommandError('RG_USAGE', `--views-schema is ${quote(String(name))}: ${problem}`, {
    exitCode: 2,
  });
}

/** Warns that estimates of the planner can reveal values of hidden rows, if the rules of the role hide rows. */
function printEstimates(role: RoleModel, { printError }: CommandContext): void {
  const hides = [...role.tables.values()].some(
    ({ select }) => select && !passesEveryRow(select.filter),
  );
  if (!hides) return;
  printError(
    "planner estimates (explain … where title = '…') reveal to it frequent values of rows that its rules hide; rowgate check names the text columns, and statistics: none in a table file turns them off",
  );
}

function refuseName(name: string, { rolePrefix }: Model): void {
  const problem = loginNameProblem(name, rolePrefix);
  if (problem === undefined) return;
  throw new CommandError('RG_LOGIN', `a login cannot be called "${name}": ${problem}`, {
    exitCode: 2,
  });
}

function badVariables(problems: readonly string[]): CommandError {
  return new CommandError('RG_BAD_VARIABLE', problems.join('\n  '), { exitCode: 2 });
}

/**
 * Reads a password. Accepts only printable ASCII, because clients encode other characters in different ways, so the
 * login could not authenticate from some clients.
 */
async function readPassword(context: CommandContext): Promise<string> {
  const password = (await context.readInput()).replace(/\r?\n$/, '');
  if (/^[\x20-\x7e]{8,1000}$/.test(password)) return password;
  throw new CommandError(
    'RG_LOGIN',
    'the password on standard input must be one line of 8 to 1000 printable ASCII characters',
    { exitCode: 2 },
  );
}

function printAbsent(
  absent: readonly VariableName[],
  role: RoleModel,
  { headerPrefix, printError }: CommandContext,
): void {
  if (absent.length === 0) return;
  const names = absent.map((name) => headerOf(name, headerPrefix)).join(', ');
  printError(`rules of role ${role.name} that read ${names} are closed to it`);
}

function printOtherDatabases(
  databases: readonly string[],
  name: string,
  context: CommandContext,
): void {
  if (databases.length === 0) return;
  const some = databases.slice(0, 5).map((one) => `"${one}"`);
  const more = databases.length > some.length ? ` and ${databases.length - some.length} more` : '';
  context.printError(
    `${name} may also connect to database ${some.join(', ')}${more}, since PUBLIC may; revoke connect on database … from public`,
  );
}
