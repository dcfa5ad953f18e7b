import type { Block, DocumentStatus } from '../../../rendering/model.ts';
import { languageOf } from '../../document-language.ts';
import type { Row } from '../read/row-reader.ts';
import { facts, section, table } from './blocks.ts';
import { parseCosts } from './invoice-costs.ts';
import { invoiceLines } from './invoice-lines.ts';
import { balanceOf, invoicePayments } from './invoice-payments.ts';
import { ModificationTimes } from './modification-times.ts';
import { findOrganization, formatOf, organizationParty } from './parties.ts';
import { moneyText, type Print, type PrintSource, textOf, wordsOf } from './printed.ts';

const tones: Readonly<Record<string, DocumentStatus['tone']>> = {
  paid: 'good',
  overdue: 'warning',
  void: 'bad',
};

interface InvoiceSubject {
  readonly id: string;
  /** Whether internal parts are omitted, even when the reader may see them. */
  readonly isForClient: boolean;
}

/** Prints an invoice: its lines and totals, the payments, and the unpaid amount. */
export const printInvoice: Print<InvoiceSubject> = async (source, { id, isForClient }) => {
  const { rows, brand } = source;
  const times = new ModificationTimes();
  const found = times.add(await rows.select({ table: 'invoice', where: { id }, limit: 1 }));
  const [invoice] = found ?? [];
  if (!invoice) return undefined;
  const ofInvoice = { where: { invoice_id: id } };
  const lines = times.add(
    await rows.select({ table: 'invoice_line', ...ofInvoice, orderBy: ['position'] }),
  );
  const payments = times.add(
    await rows.select({ table: 'invoice_payment', ...ofInvoice, orderBy: ['paid_at', 'id'] }),
  );
  const organization = await findOrganization(rows, textOf(invoice, 'organization_id'), times);
  const format = formatOf(organization, source.format);
  // A draft can lose lines, and a deleted line changes no modification time. So the time of the document is unknown.
  if (textOf(invoice, 'status') === 'draft') times.markUncertain();
  const number = textOf(invoice, 'invoice_number');
  const title = `Invoice ${number ?? id}`;
  const status = textOf(invoice, 'status');
  const document = {
    title,
    heading: title,
    language: languageOf(format),
    ...(status !== undefined && {
      status: { text: wordsOf(status) ?? '', tone: tones[status] ?? 'neutral' },
    }),
    parties: organizationParty('Billed to', organization, format),
    blocks: [
      ...summary(invoice, { lines, payments, format }),
      ...invoiceLines(invoice, lines, format),
      ...invoicePayments(invoice, payments, format),
      ...paymentInstructions(invoice, brand),
      ...(isForClient ? [] : internals(invoice, format)),
    ],
    modifiedAt: times.modifiedAt(),
  };
  return { document, name: `invoice-${number ?? id}`, lastModified: times.lastModified() };
};

interface Parts extends Pick<PrintSource, 'format'> {
  readonly lines: readonly Row[] | undefined;
  readonly payments: readonly Row[] | undefined;
}

function summary(invoice: Row, { lines, payments, format }: Parts): readonly Block[] {
  const money = (amount: string | undefined) =>
    moneyText(format, amount, textOf(invoice, 'currency'));
  const day = (column: string) => {
    const value = textOf(invoice, column);
    return value && format.date(value);
  };
  const hasLines = lines !== undefined && lines.length > 0;
  const balance = balanceOf(invoice, payments);
  return facts([
    ['Invoice number', textOf(invoice, 'invoice_number')],
    ['Issued', day('issued_on')],
    ['Due', day('due_on')],
    ['Paid', day('paid_at')],
    ['Total', hasLines ? undefined : money(textOf(invoice, 'total'))],
    [balance?.label ?? '', money(balance?.amount)],
  ]);
}

/** Makes the section of an open invoice that says which account to pay to. */
function paymentInstructions(
  invoice: Row,
  { bankAccount }: PrintSource['brand'],
): readonly Block[] {
  const isOpen = ['issued', 'overdue'].includes(textOf(invoice, 'status') ?? '');
  if (!isOpen || bankAccount.length === 0) return [];
  const number = textOf(invoice, 'invoice_number');
  const reference = number === undefined ? [] : [{ term: 'Reference', value: number }];
  return section('Please pay to', [{ kind: 'facts', items: [...bankAccount, ...reference] }]);
}

/** Makes the internal parts of an invoice. */
function internals(invoice: Row, format: PrintSource['format']): readonly Block[] {
  const notes = textOf(invoice, 'internal_notes');
  const costs = parseCosts(textOf(invoice, 'cost_breakdown'));
  const currency = textOf(invoice, 'currency');
  return [
    ...(notes === undefined || notes.trim() === ''
      ? []
      : [{ kind: 'notice' as const, title: 'Internal notes', text: notes }]),
    ...table(
      'Internal: what this cost us',
      costs.rows,
      [
        {
          ...{ title: 'Cost', align: 'start', width: 4, needs: [] },
          text: (row) => wordsOf(textOf(row, 'kind')),
        },
        {
          ...{ title: 'Amount', align: 'end', width: 2, needs: [] },
          text: (row) => moneyText(format, textOf(row, 'amount'), currency) ?? row.text ?? '',
        },
      ],
      costs.total === undefined
        ? []
        : [
            {
              label: 'Costs',
              value: moneyText(format, costs.total, currency) ?? '',
              strong: true,
            },
          ],
    ),
  ];
}
