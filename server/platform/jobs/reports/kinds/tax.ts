import { columns, type ReportBlocks, tableOf } from '../report-blocks.ts';
import { bankTable, flowTable, tradeTable } from '../shared-tables.ts';

/** Writes the contents of the report for tax returns. */
export const taxBlocks: ReportBlocks = ({ rows }, format) => [
  {
    kind: 'notice',
    title: 'For your tax adviser',
    text: 'Amounts in US dollars are at the price of the time of each transaction. What is taxed, and by which method gains are reckoned, depends on the country.',
  },
  ...flowTable(rows, format),
  ...tradeTable(rows, format),
  ...bankTable(rows, format),
  ...tableOf(
    'Billed by the platform',
    rows.costs,
    [
      columns.text('number', 'Invoice', 4),
      columns.date('issuedOn', 'Issued', 4),
      columns.words('status', 'Status', 2),
      columns.money('tax', 'Tax in it'),
      columns.money('total', 'Total'),
    ],
    format,
  ),
];
