import type { Format } from '../../../rendering/format.ts';
import type { Block } from '../../../rendering/model.ts';
import { columns, tableOf } from './report-blocks.ts';
import type { ReportData } from './report-data.ts';

type Rows = ReportData['rows'];

/** Makes the table with the value at the end of each day, without days whose value is unknown. */
export function valueTable({ values }: Rows, format: Format): readonly Block[] {
  const shown = [columns.date('day', 'End of'), columns.usd('usd', 'Worth')];
  return tableOf('Worth over time', values, shown, format);
}

export function holdingTable({ holdings }: Rows, format: Format): readonly Block[] {
  const shown = [columns.text('coin', 'Coin'), columns.number('amount', 'Amount')];
  return tableOf('Coins at the end of the period', holdings, shown, format);
}

/** Makes the table with the incoming and outgoing amounts of each coin. */
export function flowTable({ flows }: Rows, format: Format): readonly Block[] {
  const shown = [
    columns.text('coin', 'Coin', 2),
    columns.number('in', 'In'),
    columns.usd('inUsd', 'In, in USD'),
    columns.number('out', 'Out'),
    columns.usd('outUsd', 'Out, in USD'),
    columns.number('fees', 'Network fees'),
  ];
  const unpriced = (flows ?? []).filter(({ unpriced: count }) => count !== '0');
  return [
    ...tableOf('Coins that came in and left', flows, shown, format),
    ...(unpriced.length === 0
      ? []
      : [
          {
            kind: 'notice' as const,
            title: 'Not everything has a worth',
            text: `There was no price at the time of ${unpriced.map((row) => `${row.unpriced} × ${row.coin}`).join(', ')}; the sums in USD leave those out.`,
          },
        ]),
  ];
}

export function tradeTable({ trades }: Rows, format: Format): readonly Block[] {
  const shown = [
    columns.time('executedAt', 'Executed', 4),
    columns.words('side', 'Side', 2),
    columns.text('pair', 'Pair', 3),
    columns.number('quantity', 'Quantity'),
    columns.money('price', 'Price of one', 4),
    columns.money('value', 'Value', 4),
    columns.money('fee', 'Fee', 3),
  ];
  return tableOf('Trades', trades, shown, format);
}

/** Makes the table of deposits and withdrawals of money by bank transfer. */
export function bankTable({ bank }: Rows, format: Format): readonly Block[] {
  const shown = [
    columns.time('completedAt', 'Completed', 4),
    columns.words('kind', 'Kind', 2),
    columns.text('reference', 'Reference', 4),
    columns.money('amount', 'Amount'),
    columns.money('fee', 'Fee', 2),
  ];
  return tableOf('Money by bank', bank, shown, format);
}
