import { CommandError } from '../../errors.ts';
import type { RuleQuestion } from '../../explain/rule/explain-rule.ts';
import { findTable } from '../../matrix/find-column.ts';
import { roleNamed } from '../../model/roles/role-named.ts';
import { quote } from '../../text/characters.ts';
import { didYouMean } from '../../text/nearest.ts';
import type { Model } from '../../types/model.ts';
import { operations } from '../../types/rules.ts';

/** The words of a command line that name a rule. */
export interface RuleWords {
  readonly role: string;
  readonly table: string;
  readonly command: string;
}

/** Finds the role, the table and the operation that a command line names. @throws CommandError (exit 2) */
export function questionAbout(words: RuleWords, model: Model): RuleQuestion {
  const role = roleNamed(words.role, 'explain', model);
  const key = findTable(words.table, [...model.tables.keys()]);
  const table = model.tables.get(key);
  const operation = operations.find((one) => one === words.command);
  if (!operation || !table) {
    throw new CommandError('RG_USAGE', `there is no command ${quote(words.command)}`, {
      hint: didYouMean(words.command, operations) ?? `the commands are ${operations.join(', ')}`,
      exitCode: 2,
    });
  }
  return { role, table, operation };
}
