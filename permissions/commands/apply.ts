import { type Applied, migrateIfAllowed } from '../apply/apply-metadata.ts';
import type { Applier } from '../apply/history/apply-history.ts';
import { appliedComparer } from '../diff/compare-applied.ts';
import { currentRevision } from '../diff/load/git-revision.ts';
import { CommandError, PlanChangedError } from '../errors.ts';
import { changesNothing, type Plan } from '../plan/make-plan.ts';
import { maxHeldSeconds } from '../plan/table-locks.ts';
import { counted } from '../text/counted.ts';
import type { Command, CommandContext } from './context/command.ts';
import { withOwner } from './context/connection.ts';
import { printMistakes } from './context/findings.ts';
import { jsonOption, metadataOption, prepareOptions, yesOption } from './context/options.ts';
import { countFindings } from './context/rank-findings.ts';
import { applyDescribed, type DescribeOptions, describePlan } from './describe-plan.ts';

const lockOption = {
  'lock-seconds': {
    type: 'string',
    default: String(maxHeldSeconds),
    help: 'hold locks on tables no longer than this',
  },
} as const;

/** `rowgate apply` changes the database to match the metadata, in one transaction. */
export const apply: Command = {
  name: 'apply',
  summary: 'change the database to match the metadata, in one transaction',
  options: { ...metadataOption, ...yesOption, ...jsonOption, ...lockOption },
  run: (options, _positionals, context) => {
    const json = options.json === true;
    return printMistakes(context, json, async () => {
      const prepareWith = await prepareOptions(options, context);
      await withOwner(context, (client) => migrateIfAllowed(client, prepareWith));
      const lockSeconds = lockSecondsOf(options);
      const compare = appliedComparer({ ...context, metadata: prepareWith.metadata });
      const agreed =
        options.yes === true
          ? undefined
          : await agree({ ...prepareWith, lockSeconds, compare }, context);
      if (agreed === 'refused') return 1;
      const { password } = await context.gatewayLogin();
      const applier = await applierOf(prepareWith.metadata, context);
      try {
        const applied = await withOwner(context, (client) =>
          applyDescribed(client, {
            ...{ ...prepareWith, password, lockSeconds, applier, compare },
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

async function applierOf(metadata: string, { actor, version }: CommandContext): Promise<Applier> {
  return { actor, version, revision: await currentRevision(metadata) };
}

/** @throws CommandError RG_USAGE */
function lockSecondsOf(options: Readonly<Record<string, unknown>>): number {
  const given = String(options['lock-seconds'] ?? maxHeldSeconds);
  if (/^[1-9]\d{0,4}$/.test(given)) return Number(given);
  throw new CommandError('RG_USAGE', '--lock-seconds must be a whole number from 1 to 99999', {
    exitCode: 2,
  });
}

function report({ plan, warnings }: Applied, context: CommandContext): void {
  const { length } = plan.changes;
  const corrected = length === 0 ? '' : `; corrected ${counted(length, 'comment')}`;
  context.print(
    changesNothing(plan) ? `nothing to change${corrected}` : `applied ${length} changes`,
  );
  const { warnings: open } = countFindings(warnings);
  if (open > 0) {
    context.print(`${counted(open, 'warning')}; rowgate check shows ${open === 1 ? 'it' : 'them'}`);
  }
}

/** Shows the plan on a terminal and requires a confirmation. Undefined when the command has no terminal. */
async function agree(
  options: DescribeOptions,
  context: CommandContext,
): Promise<Plan | 'refused' | undefined> {
  if (!context.confirm) return undefined;
  const { plan, lines, question } = await describePlan(options, context);
  for (const line of lines) context.print(line);
  if (changesNothing(plan)) return plan;
  return (await context.confirm(question)) ? plan : 'refused';
}
