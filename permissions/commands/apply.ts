import { type Applied, applyMetadata, migrateIfAllowed } from '../apply/apply-metadata.ts';
import { MetadataError, PlanChangedError } from '../errors.ts';
import { changesNothing, type Plan } from '../plan/make-plan.ts';
import { prepareAsOwner } from '../rights/closed-installation.ts';
import { missingRights } from '../rights/missing-rights.ts';
import type { Command, CommandContext } from './context/command.ts';
import { withOwner, withSnapshot } from './context/connection.ts';
import { printMistakes } from './context/findings.ts';
import { jsonOption, metadataOption, prepareOptions, yesOption } from './context/options.ts';
import { countFindings } from './context/rank-findings.ts';
import { locksOf } from './print/print-locks.ts';
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
      await withOwner(context, (client) => migrateIfAllowed(client, prepareWith));
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

/** Shows the plan on a terminal and requires a confirmation. Undefined when the command has no terminal. */
async function agree(
  prepareWith: Awaited<ReturnType<typeof prepareOptions>>,
  context: CommandContext,
): Promise<Plan | 'refused' | undefined> {
  if (!context.confirm) return undefined;
  const { plan, locks } = await withSnapshot(context, async (client) => {
    const prepared = await prepareAsOwner(client, prepareWith);
    const missing = await missingRights(client, prepared);
    if (missing.length > 0) throw new MetadataError(missing);
    return { plan: prepared.plan, locks: await locksOf(client, prepared) };
  });
  for (const line of planText(plan, locks, { sql: false })) context.print(line);
  if (changesNothing(plan)) return plan;
  return (await context.confirm('apply these changes?')) ? plan : 'refused';
}
