import type { Format } from '../../../rendering/format.ts';
import type { Party, PrintedDocument } from '../../../rendering/model.ts';
import { languageOf } from '../../document-language.ts';
import { auditBlocks } from './kinds/audit.ts';
import { complianceBlocks } from './kinds/compliance.ts';
import { fundBlocks } from './kinds/fund.ts';
import { portfolioBlocks } from './kinds/portfolio.ts';
import { taxBlocks } from './kinds/tax.ts';
import { transactionBlocks } from './kinds/transactions.ts';
import { type ReportBlocks, words } from './report-blocks.ts';
import type { ReportData, ReportHead, ReportKind } from './report-data.ts';

const blocks: Readonly<Record<ReportKind, ReportBlocks>> = {
  portfolio: portfolioBlocks,
  fund: fundBlocks,
  transactions: transactionBlocks,
  tax: taxBlocks,
  compliance: complianceBlocks,
  audit: auditBlocks,
};

/** Makes the printed document of a report. */
export function reportDocument(data: ReportData, format: Format, now: Date): PrintedDocument {
  const { head } = data;
  return {
    title: head.title,
    heading: head.title,
    language: languageOf(format),
    parties: partiesOf(head),
    blocks: [
      {
        kind: 'facts',
        items: [
          { term: 'Report', value: words(head.kind) },
          { term: 'From', value: format.date(head.from) },
          { term: 'To', value: format.date(head.to) },
          { term: 'Made', value: format.dateTime(now.toISOString()) },
        ],
      },
      ...blocks[head.kind](data, format),
    ],
    modifiedAt: now.toISOString(),
  };
}

function partiesOf({ organization, person, fund }: ReportHead): readonly Party[] {
  const { name, address, taxNumber } = organization;
  const lines = [name, ...(address ?? '').split('\n'), taxNumber && `Tax number ${taxNumber}`];
  return [
    party('On the organization', lines),
    party('On the person', [person?.name, person?.email]),
    party('On the fund', [fund?.name]),
  ].filter((one) => one.lines.length > 0);
}

function party(label: string, lines: readonly (string | null | undefined)[]): Party {
  return { label, lines: lines.flatMap((line) => (line?.trim() ? [line.trim()] : [])) };
}
