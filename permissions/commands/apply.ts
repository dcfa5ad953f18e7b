import { type Applied, applyMetadata } from '../apply/apply-metadata.ts';
import { PlanChangedError } from '../errors.ts';
import { changesNothing, type Plan } from '../plan/make-plan.ts';
import { migrateGateway, prepare } from '../plan/prepare.ts';
import type { Command, CommandContext } from './context/command.ts';
import { withOwner, withSnapshot } from './context/connection.ts';
import { printMistakes } from './context/findings.ts';
import { jsonOption, metadataOption, prepareOptions, yesOption } from './context/options.ts';
import { countFindings } from './context/rank-findings.ts';
import { planText } from './print/print-plan.ts';

/** `rowgate apply` changes the database to match the metadata, in one transaction. */
export const apply: Command = {
  name: 'apply',
  summary: 'change the database to match the metadata, in one transaction',
  options: { ...metadataOption, ...yesOption, ...jsonOption },
  run: (options, _positionals, context) => {
    const json = options.json === true;
    return printMistakes(context, json, async () => {
      const prepareWith = await prepareOptions(options, context);
      await withOwner(context, migrateGateway);
      const agreed = options.yes === true ? undefined : await agree(prepareWith, context);
      if (agreed === 'refused') return 1;
      const { password } = await context.gatewayLogin();
      try {
        const applied = await withOwner(context, (client) =>
          applyMetadata(client, {
            ...prepareWith,
            password,
            ...(agreed && { agreed: agreed.digest }),
          }),
        );
        if (json)
          context.print(
            JSON.stringify(
              {
                digest: applied.plan.digest,
                changes: applied.plan.changes.length,
                findings: applied.warnings,
              },
              null,
              2,
            ),
          );
        else report(applied, context);
        return 0;
      } catch (error) {
        if (!(error instanceof PlanChangedError)) throw error;
        context.printError(error.message);
        return 1;
      }
    });
  },
};

function report({ plan, warnings }: Applied, context: CommandContext): void {
  const { length } = plan.changes;
  const corrected =
    length === 0 ? '' : `; corrected ${length === 1 ? '1 comment' : `${length} comments`}`;
  context.print(
    changesNothing(plan) ? `nothing to change${corrected}` : `applied ${length} changes`,
  );
  const { warnings: open } = countFindings(warnings);
  if (open > 0) {
    const count = open === 1 ? '1 warning' : `${open} warnings`;
    context.print(`${count}; rowgate check shows ${open === 1 ? 'it' : 'them'}`);
  }
}

/**
 * Shows the plan on a terminal and asks for confirmation. Undefined when there is no terminal, so that nobody was
 * asked.
 */
async function agree(
  prepareWith: Awaited<ReturnType<typeof prepareOptions>>,
  context: CommandContext,
): Promise<Plan | 'refused' | undefined> {
  if (!context.confirm) return undefined;
  const { plan } = await withSnapshot(context, (client) => prepare(client, prepareWith));
  for (const line of planText(plan, { sql: false })) context.print(line);
  if (changesNothing(plan)) return plan;
  return (await context.confirm('apply these changes?')) ? plan : 'refused';
}
