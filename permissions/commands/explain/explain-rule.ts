import type { Command } from '../context/command.ts';
import { withPrepared } from '../context/findings.ts';
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
    withPrepared(options, context, async (_client, { loaded: { model }, desired }) => {
      const { explainRule } = await import('../../explain/rule/explain-rule.ts');
      const { ruleText } = await import('../../explain/rule/rule-text.ts');
      const { questionAbout } = await import('./question-about.ts');
      const explained = explainRule(questionAbout({ role, table, command }, model), model, desired);
      if (options.json === true) context.print(JSON.stringify(explained, null, 2));
      else for (const line of ruleText(explained)) context.print(line);
      return 0;
    }),
};
