import { columns, type ReportBlocks, tableOf, words } from '../report-blocks.ts';
import { holdingTable, tradeTable, valueTable } from '../shared-tables.ts';

/** Writes the contents of the report on the performance of a fund. The report names no investors. */
export const fundBlocks: ReportBlocks = ({ head, rows }, format) => [
  ...(head.fund
    ? [
        {
          kind: 'facts' as const,
          items: [
            { term: 'Currency', value: head.fund.currency },
            { term: 'Status at present', value: words(head.fund.status) },
          ],
        },
      ]
    : []),
  ...valueTable(rows, format),
  ...holdingTable(rows, format),
  ...tableOf(
    'Subscriptions',
    rows.subscriptions,
    [
      columns.words('status', 'Status'),
      columns.number('count', 'How many'),
      columns.money('amount', 'Amount'),
    ],
    format,
  ),
  ...tradeTable(rows, format),
  ...tableOf(
    'Paid out',
    rows.withdrawals,
    [
      columns.time('completedAt', 'Completed', 4),
      columns.text('reference', 'Reference', 4),
      columns.money('amount', 'Amount'),
      columns.money('fee', 'Fee', 2),
    ],
    format,
  ),
];
