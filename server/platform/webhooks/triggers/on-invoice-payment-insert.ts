import { Type } from 'typebox';
import type { Endpoint } from '../../../http/endpoint/define-endpoint.ts';
import { linkTo } from '../../mail-links.ts';
import { defineTrigger, type TriggerServices } from './define-trigger.ts';
import { rowId } from './trigger-event.ts';
import { makeMessage } from './trigger-message.ts';

/** The contents of a receipt mail. Amounts are decimal text. */
interface ReceiptFacts {
  readonly receiptId: string;
  readonly receiptNumber: string;
  readonly invoiceNumber: string;
  readonly organization: string;
  readonly amount: string;
  readonly currency: string;
  readonly paidAt: string;
  /** The time zone of the organization. */
  readonly timeZone: string;
  readonly reference: string | null;
  readonly total: string;
  readonly invoiceCurrency: string;
  /** The amount that is left to pay. */
  readonly open: string;
  readonly to: readonly string[];
}

/**
 * Makes the endpoint for payments of invoices. It counts confirmed payments towards the invoice, marks it as paid, and
 * sends receipts.
 */
export function onInvoicePaymentInsert(services: TriggerServices): Endpoint {
  return defineTrigger<typeof row, ReceiptFacts>(
    {
      name: 'on-invoice-payment-insert',
      operationId: 'onInvoicePaymentInsert',
      table: 'invoice_payment',
      operations: ['INSERT', 'UPDATE'],
      row,
      summary: 'a payment was entered, or its status changed',
      description:
        'Confirmed: counts the payment towards its invoice, which is paid once the payments in its currency reach the total (`paid`, `partial`). Creates and sends a receipt, once. Refunded: voids the receipt and reopens the invoice. Notifies accounting of overpayments, payments in another currency, and payments for an invoice that is not open.',
      effect: (event) => ['rowgate_webhooks.on_invoice_payment($1, $2)', [event.id, event.new.id]],
      writeMessage: (facts) => receiptMessage(facts, services),
    },
    services,
  );
}

function receiptMessage(facts: ReceiptFacts, { format, config }: TriggerServices) {
  const { invoiceNumber, currency, invoiceCurrency } = facts;
  const amount = format.money(facts.amount, currency);
  const open = format.money(facts.open, invoiceCurrency);
  return makeMessage(
    {
      key: `receipt/${facts.receiptId}`,
      to: facts.to,
      subject: `Receipt ${facts.receiptNumber} for ${amount}`,
      text: `We have received ${amount} from ${facts.organization} for invoice ${invoiceNumber}. Thank you.`,
      facts: [
        ['Receipt number', facts.receiptNumber],
        ['Invoice', invoiceNumber],
        ['Received', format.inZone(facts.timeZone).dateTime(facts.paidAt)],
        ['Amount', amount],
        ['Reference', facts.reference],
        ['Total of the invoice', format.money(facts.total, invoiceCurrency)],
        ['Still open', /[1-9]/.test(facts.open) ? open : 'nothing'],
      ],
      link: { text: 'View the receipt', url: linkTo(`receipts/${facts.receiptId}`, config) },
    },
    format,
  );
}

const row = Type.Object({ id: rowId });
