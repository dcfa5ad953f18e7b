import type { Block } from '../../../rendering/model.ts';
import { languageOf } from '../../document-language.ts';
import type { Row, Rows } from '../read/row-reader.ts';
import { facts, table } from './blocks.ts';
import { ModificationTimes } from './modification-times.ts';
import { findOrganization, formatOf, organizationParty } from './parties.ts';
import { moneyText, type Print, type PrintSource, textOf, wordsOf } from './printed.ts';

/** Prints the receipt for one payment. */
export const printReceipt: Print<{ readonly id: string }> = async (source, { id }) => {
  const { rows } = source;
  const times = new ModificationTimes();
  const find = makeRowLookup(rows, times);
  const receipt = await find('receipt', id);
  if (!receipt) return undefined;
  const payment = await find('invoice_payment', textOf(receipt, 'invoice_payment_id'));
  const invoice = await find('invoice', textOf(payment, 'invoice_id'));
  const organization = await findOrganization(rows, textOf(receipt, 'organization_id'), times);
  const format = formatOf(organization, source.format);
  const number = textOf(receipt, 'receipt_number');
  const status = textOf(receipt, 'status');
  const title = `Receipt ${number ?? id}`;
  const document = {
    title,
    heading: title,
    language: languageOf(format),
    ...(status !== undefined && {
      status: {
        text: wordsOf(status) ?? '',
        tone: status === 'void' ? ('bad' as const) : ('good' as const),
      },
    }),
    parties: organizationParty('Received from', organization, format),
    blocks: [
      ...facts([
        ['Receipt number', number],
        ['Issued', timeText(receipt, 'issued_at', format)],
        ['Sent to', textOf(receipt, 'sent_to')],
        ['Sent', timeText(receipt, 'sent_at', format)],
      ]),
      ...paymentTable(payment, invoice, format),
    ],
    modifiedAt: times.modifiedAt(),
  };
  return { document, name: `receipt-${number ?? id}`, lastModified: times.lastModified() };
};

function paymentTable(
  payment: Row | undefined,
  invoice: Row | undefined,
  format: PrintSource['format'],
): readonly Block[] {
  const amount = moneyText(format, textOf(payment, 'amount'), textOf(payment, 'currency'));
  return table(
    'Payment',
    payment && [{ ...payment, invoice_number: textOf(invoice, 'invoice_number') ?? null }],
    [
      {
        ...{ title: 'For invoice', align: 'start', width: 3, needs: ['invoice_id'] },
        text: (row) => textOf(row, 'invoice_number'),
      },
      {
        ...{ title: 'Received', align: 'start', width: 4, needs: ['paid_at'] },
        text: (row) => timeText(row, 'paid_at', format),
      },
      {
        ...{ title: 'Method', align: 'start', width: 3, needs: ['method'] },
        text: (row) => wordsOf(textOf(row, 'method')),
      },
      {
        ...{ title: 'Reference', align: 'start', width: 3, needs: ['reference'] },
        text: (row) => textOf(row, 'reference'),
      },
      { ...{ title: 'Amount', align: 'end', width: 3, needs: ['amount'] }, text: () => amount },
    ],
    amount === undefined ? [] : [{ label: amountLabel(payment), value: amount, strong: true }],
  );
}

function timeText(
  row: Row | undefined,
  column: string,
  format: PrintSource['format'],
): string | undefined {
  const value = textOf(row, column);
  return value && format.dateTime(value);
}

function amountLabel(payment: Row | undefined): string {
  return textOf(payment, 'status') === 'refunded' ? 'Refunded' : 'Received';
}

function makeRowLookup(rows: Rows, times: ModificationTimes) {
  return async (name: string, id: string | undefined): Promise<Row | undefined> => {
    if (id === undefined) return undefined;
    return times.add(await rows.select({ table: name, where: { id }, limit: 1 }))?.[0];
  };
}
