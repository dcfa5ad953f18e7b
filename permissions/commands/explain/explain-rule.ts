import { resolveModel } from '../../model/load-model.ts';
import type { Command, ExitCode } from '../context/command.ts';
import { withSnapshot } from '../context/connection.ts';
import { printMistakes } from '../context/findings.ts';
import { namingOf } from '../context/loaded-model.ts';
import { jsonOption, metadataOption } from '../context/options.ts';

/** `rowgate explain rule` shows how a rule of the metadata becomes SQL. */
export const explainRuleCommand: Command = {
  name: 'explain rule',
  summary: 'show the place of a rule, its meaning, and the SQL that enforces it',
  positionals: [
    { name: 'role', help: 'a role of roles.yaml' },
    { name: 'table', help: 'a table that has a file, e.g. invoice, or billing.invoice' },
    { name: 'command', help: 'select, insert, update or delete' },
  ],
  options: { ...metadataOption, ...jsonOption },
  run: (options, [role = '', table = '', command = ''], context) =>
    printMistakes(context, options.json === true, async () => {
      const { explainRule } = await import('../../explain/rule/explain-rule.ts');
      const { ruleText } = await import('../../explain/rule/rule-text.ts');
      const { questionAbout } = await import('./question-about.ts');
      return withSnapshot(context, async (client): Promise<ExitCode> => {
        const naming = namingOf(options, context);
        const { model, catalog } = await resolveModel({ client, ...naming });
        const question = questionAbout({ role, table, command }, model);
        const explained = await explainRule(client, question, model, catalog);
        if (options.json === true) context.print(JSON.stringify(explained, null, 2));
        else for (const line of ruleText(explained)) context.print(line);
        return 0;
      });
    }),
};
