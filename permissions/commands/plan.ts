import type pg from 'pg';
import type { Diagnostic } from '../diagnostics.ts';
import { compareWithApplied } from '../diff/compare-applied.ts';
import { allFindings } from '../lint/all-findings.ts';
import { changesNothing } from '../plan/make-plan.ts';
import type { Prepared, Seen } from '../plan/prepare.ts';
import { missingRights } from '../rights/missing-rights.ts';
import type { Command, ExitCode } from './context/command.ts';
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
  run: (options, _positionals, context) => {
    const linted: Diagnostic[] = [];
    const lint = async (client: pg.Client, seen: Seen) => {
      linted.push(...(await allFindings(client, seen)));
    };
    const show = async (client: pg.Client, prepared: Prepared): Promise<ExitCode> => {
      const findings = [...(await missingRights(client, prepared)), ...linted];
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
    };
    return withPrepared(options, context, show, lint);
  },
};
