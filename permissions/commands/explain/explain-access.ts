import { resolveModel } from '../../model/load-model.ts';
import { pinSettings } from '../../plan/prepare.ts';
import type { Command, CommandContext, ExitCode } from '../context/command.ts';
import { withOwner } from '../context/connection.ts';
import { printMistakes } from '../context/findings.ts';
import { namingOf } from '../context/loaded-model.ts';
import { jsonOption, metadataOption } from '../context/options.ts';
import { questionAbout, type RuleWords } from './question-about.ts';
import { listOf, pairsOf, variablesOfOptions } from './read-pairs.ts';

/** `rowgate explain access` says why a principal may or may not do something with one row. */
export const explainAccessCommand: Command = {
  name: 'explain access',
  summary: 'say why a role may or may not see or change one row; exit 1 if it may not',
  positionals: [
    { name: 'role', help: 'a role of roles.yaml' },
    { name: 'table', help: 'a table that has a file, e.g. invoice, or billing.invoice' },
    { name: 'command', help: 'select, insert, update or delete' },
  ],
  options: {
    ...metadataOption,
    ...jsonOption,
    key: { type: 'string', multiple: true, help: 'a column of the primary key, as id=1' },
    variable: {
      type: 'string',
      multiple: true,
      help: 'a session variable of the caller, as X-Gql-User-Id=7; may be repeated',
    },
    column: { type: 'string', multiple: true, help: 'for select: a column; may be repeated' },
    set: {
      type: 'string',
      multiple: true,
      help: 'for insert and update: a value, as status=paid; may be repeated',
    },
  },
  run: (options, [role = '', table = '', command = ''], context) =>
    printMistakes(context, options.json === true, () =>
      run({ role, table, command }, options, context),
    ),
};

type Options = Readonly<Record<string, unknown>>;

async function run(words: RuleWords, options: Options, context: CommandContext): Promise<ExitCode> {
  const { explainAccess } = await import('../../explain/access/explain-access.ts');
  const { accessText } = await import('../../explain/access/access-text.ts');
  const key = pairsOf(options.key, '--key');
  const values = pairsOf(options.set, '--set');
  const variables = variablesOfOptions(options.variable, context.headerPrefix);
  const columns = listOf(options.column);
  return withOwner(context, async (client) => {
    await client.query('begin');
    try {
      await client.query(pinSettings);
      const { model } = await resolveModel({ client, ...namingOf(options, context) });
      const { role, ...about } = questionAbout(words, model);
      const question = { ...about, principal: { role, variables }, key, columns, values };
      const searchPath = context.requestSearchPath?.(model) ?? 'pg_catalog, pg_temp';
      const explained = await explainAccess(client, question, { model, searchPath });
      if (options.json === true) context.print(JSON.stringify(explained, null, 2));
      else for (const line of accessText(explained)) context.print(line);
      return explained.allowed ? 0 : 1;
    } finally {
      await client.query('rollback');
    }
  });
}
