import { compareWithApplied } from '../diff/compare-applied.ts';
import { allFindings } from '../lint/all-findings.ts';
import { changesNothing } from '../plan/make-plan.ts';
import { missingRights } from '../rights/missing-rights.ts';
import type { Command } from './context/command.ts';
import { printFindings, withPrepared } from './context/findings.ts';
import { jsonOption, metadataOption } from './context/options.ts';
import { differenceJson, differenceText } from './print/print-difference.ts';
import { locksOf } from './print/print-locks.ts';
import { planJson, planText } from './print/print-plan.ts';

/**
 * `rowgate plan` shows the changes that apply would make. Exit code 1: the plan contains changes, or the metadata
 * contains mistakes.
 */
export const plan: Command = {
  name: 'plan',
  summary: 'show the changes that apply would make; exit 1 if there are any',
  options: {
    ...metadataOption,
    ...jsonOption,
    sql: { type: 'boolean', default: false, help: 'show the statements too' },
  },
  run: (options, _positionals, context) =>
    withPrepared(options, context, async (client, prepared) => {
      const missing = await missingRights(client, prepared);
      const findings = [...missing, ...(await allFindings(client, prepared))];
      const locks = locksOf(prepared);
      const difference = await compareWithApplied(client, prepared, {
        ...context,
        metadata: String(options.metadata),
      });
      if (options.json === true)
        context.print(
          JSON.stringify(
            { ...planJson(prepared.plan, locks, findings), difference: differenceJson(difference) },
            null,
            2,
          ),
        );
      else {
        for (const line of differenceText(difference, prepared.plan)) context.print(line);
        for (const line of planText(prepared.plan, locks, { sql: options.sql === true }))
          context.print(line);
        printFindings(findings, context, { json: false, strict: false });
      }
      const mistakes = findings.some((one) => one.severity === 'error');
      return !changesNothing(prepared.plan) || mistakes ? 1 : 0;
    }),
};
