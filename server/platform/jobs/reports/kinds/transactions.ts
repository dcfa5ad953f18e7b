import { type ColumnOf, columns, fieldText, type ReportBlocks, tableOf } from '../report-blocks.ts';
import { bankTable, flowTable, tradeTable } from '../shared-tables.ts';

/** The amount, with a minus sign for outgoing transactions. */
const amount: ColumnOf = {
  title: 'Amount',
  align: 'end',
  width: 5,
  text: (row, format) => {
    const sign = fieldText(row, 'direction') === 'out' ? '-' : '';
    return `${format.number(`${sign}${fieldText(row, 'amount')}`)} ${fieldText(row, 'coin')}`;
  },
};

/** Writes the contents of the report on all transactions. */
export const transactionBlocks: ReportBlocks = ({ rows }, format) => [
  ...flowTable(rows, format),
  ...tableOf(
    'Transactions',
    rows.transactions,
    [
      columns.time('occurredAt', 'Seen', 4),
      columns.text('wallet', 'Wallet', 3),
      columns.words('kind', 'Kind', 3),
      amount,
      columns.usd('usd', 'Worth', 4),
      columns.words('status', 'Status', 3),
    ],
    format,
  ),
  ...tradeTable(rows, format),
  ...bankTable(rows, format),
  ...tableOf(
    'Cards',
    rows.cards,
    [
      columns.time('occurredAt', 'Used', 4),
      columns.text('card', 'Card', 2),
      columns.text('merchant', 'Paid to', 4),
      columns.words('status', 'Status', 2),
      columns.money('amount', 'Amount'),
    ],
    format,
  ),
];
