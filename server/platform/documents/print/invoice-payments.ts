import type { Format } from '../../../rendering/format.ts';
import type { Block, Total } from '../../../rendering/model.ts';
import { isNegative, subtract, sum } from '../decimal.ts';
import type { Row } from '../read/row-reader.ts';
import { table } from './blocks.ts';
import { moneyText, textOf, wordsOf } from './printed.ts';

/** The statuses of invoices that were billed. */
const billed = ['issued', 'overdue', 'paid'];

/** The difference between an invoice and its payments: an unpaid amount, or an overpaid amount. */
export interface Balance {
  readonly label: string;
  /** The amount as decimal text, never negative. */
  readonly amount: string;
}

/** Computes the balance; undefined when the invoice was not billed, or the reader may not see all amounts. */
export function balanceOf(invoice: Row, payments: readonly Row[] | undefined): Balance | undefined {
  const total = textOf(invoice, 'total');
  const received = receivedFor(invoice, payments);
  if (total === undefined || received === undefined) return undefined;
  if (!billed.includes(textOf(invoice, 'status') ?? '')) return undefined;
  const amount = subtract(total, received);
  return isNegative(amount)
    ? { label: 'Credit balance', amount: subtract('0', amount) }
    : { label: 'Balance due', amount };
}

/** Makes the table of payments for an invoice. Only confirmed payments count. */
export function invoicePayments(
  invoice: Row,
  payments: readonly Row[] | undefined,
  format: Format,
): readonly Block[] {
  const day = (row: Row) => format.date(textOf(row, 'paid_at') ?? '');
  return table(
    'Payments',
    payments,
    [
      { ...{ title: 'Date', align: 'start', width: 3, needs: ['paid_at'] }, text: day },
      {
        ...{ title: 'Method', align: 'start', width: 3, needs: ['method'] },
        text: (row) => wordsOf(textOf(row, 'method')),
      },
      {
        ...{ title: 'Reference', align: 'start', width: 3, needs: ['reference'] },
        text: (row) => textOf(row, 'reference'),
      },
      {
        ...{ title: 'Status', align: 'start', width: 2, needs: ['status'] },
        text: (row) => wordsOf(textOf(row, 'status')),
      },
      {
        ...{ title: 'Amount', align: 'end', width: 3, needs: ['amount'] },
        text: (row) => moneyText(format, textOf(row, 'amount'), textOf(row, 'currency')),
      },
    ],
    totals(invoice, payments, format),
  );
}

function totals(
  invoice: Row,
  payments: readonly Row[] | undefined,
  format: Format,
): readonly Total[] {
  const balance = balanceOf(invoice, payments);
  const received = receivedFor(invoice, payments);
  if (!balance || received === undefined) return [];
  const value = (amount: string) => moneyText(format, amount, textOf(invoice, 'currency')) ?? '';
  return [
    { label: 'Received', value: value(received), strong: false },
    { label: balance.label, value: value(balance.amount), strong: true },
  ];
}

/** Sums the confirmed payments; undefined when a payment is hidden or in another currency than the invoice. */
function receivedFor(invoice: Row, payments: readonly Row[] | undefined): string | undefined {
  const currency = textOf(invoice, 'currency');
  if (!payments || currency === undefined) return undefined;
  if (payments.some((row) => row.status === undefined || row.amount === undefined))
    return undefined;
  const confirmed = payments.filter((row) => row.status === 'confirmed');
  if (confirmed.some((row) => row.currency !== currency)) return undefined;
  return sum(['0.00', ...confirmed.map((row) => textOf(row, 'amount') ?? '0')]);
}
