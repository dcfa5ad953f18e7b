import { columns, type ReportBlocks, tableOf } from '../report-blocks.ts';
import { holdingTable, valueTable } from '../shared-tables.ts';

/** Writes the contents of the report on holdings and their value. */
export const portfolioBlocks: ReportBlocks = ({ rows }, format) => [
  ...valueTable(rows, format),
  ...holdingTable(rows, format),
  ...tableOf(
    'Wallets',
    rows.wallets,
    [
      columns.text('label', 'Wallet', 4),
      columns.words('type', 'Kind', 2),
      columns.text('coin', 'Coin', 2),
      columns.number('balance', 'Balance', 4),
      columns.usd('usd', 'Worth'),
    ],
    format,
  ),
];
