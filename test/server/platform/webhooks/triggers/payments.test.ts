import { afterAll, beforeAll, expect, test } from 'vitest';
import { payloadOf, type Row } from './support/payload.ts';
import { openTriggerWorld, type TriggerWorld } from './support/trigger-world.ts';

let world: TriggerWorld;
beforeAll(async () => {
  world = await openTriggerWorld();
});
afterAll(() => world.close());

const endpoint = 'on-invoice-payment-insert';
let number = 0;

/** Inserts an issued invoice of 1200.00 USD. */
async function invoice(values: Row = {}) {
  const client = await world.client();
  number += 1;
  const row = await world.insert('invoice', {
    organization_id: client.organization,
    invoice_number: `ELM-${number}`,
    total: '1200.00',
    status: 'issued',
    issued_on: '2026-01-01',
    due_on: '2999-01-01',
    ...values,
  });
  return { ...client, id: String(row.id), number: String(row.invoice_number) };
}

/** Inserts a payment of the invoice, by default a confirmed one, and returns its event. */
async function paid(bill: { organization: string; id: string }, values: Row) {
  const payment = await world.insert('invoice_payment', {
    organization_id: bill.organization,
    invoice_id: bill.id,
    status: 'confirmed',
    paid_at: '2026-02-03T04:05:06Z',
    ...values,
  });
  return payloadOf('invoice_payment', 'INSERT', null, { id: payment.id });
}

function stateOf(bill: { id: string }) {
  return world.row('select status, paid_at from public.invoice where id = $1', [bill.id]);
}

async function receiptsOf(bill: { id: string }) {
  return world.rows(
    `select r.id, r.status, r.sent_to, r.sent_at is not null as sent from public.receipt r
     join public.invoice_payment p on p.id = r.invoice_payment_id where p.invoice_id = $1`,
    [bill.id],
  );
}

test('a payment of the total marks the invoice as paid, and the administrators get its receipt', async () => {
  const bill = await invoice();
  const { body } = await world.post(endpoint, await paid(bill, { amount: '1200.00' }));
  expect(body).toMatchObject({ duplicate: false, outcome: 'paid' });
  expect(await stateOf(bill)).toEqual({
    status: 'paid',
    paid_at: new Date('2026-02-03T04:05:06Z'),
  });
  const address = `${bill.admin.slice(6)}@elm.example`;
  const [receipt, ...more] = await receiptsOf(bill);
  expect(more).toEqual([]);
  expect(receipt).toMatchObject({ status: 'issued', sent_to: address, sent: true });
  const [mail] = await world.mails(`receipt/${receipt?.id}`);
  expect(mail?.recipient).toBe(address);
  expect(mail?.text).toContain(`from Elm & Söhne for invoice ${bill.number}`);
  expect(mail?.text).toContain('US$1,200.00');
  expect(await world.notifications(bill.admin)).toEqual(['An invoice is paid']);
});

test.each(['issued', 'overdue'])(
  'an invoice that is %s is marked as paid with the last of several payments',
  async (status) => {
    const bill = await invoice({ status });
    const first = await world.post(endpoint, await paid(bill, { amount: '1199.99' }));
    expect(first.body.outcome).toBe('partial');
    expect((await stateOf(bill)).status).toBe(status);
    const [mail] = await world.mails(`receipt/${first.body.receiptId}`);
    expect(mail?.text).toMatch(/Still open:\s+US\$0\.01/);
    const second = await world.post(endpoint, await paid(bill, { amount: '0.01' }));
    expect(second.body.outcome).toBe('paid');
    expect((await stateOf(bill)).status).toBe('paid');
    expect(await receiptsOf(bill)).toHaveLength(2);
  },
);

test('two part payments at the same time mark the invoice as paid, and cause a receipt each', async () => {
  const bill = await invoice();
  const events = [await paid(bill, { amount: 600 }), await paid(bill, { amount: 600 })];
  await Promise.all(events.map((event) => world.post(endpoint, event)));
  expect((await stateOf(bill)).status).toBe('paid');
  expect(await receiptsOf(bill)).toHaveLength(2);
});

test('twenty events about one payment at the same time cause one receipt and one mail', async () => {
  const bill = await invoice();
  const event = await paid(bill, { amount: 1200 });
  const answers = await world.postTwentyTimes(endpoint, event, 'invoice', bill.id);
  expect(answers.map(({ status }) => status)).toEqual(Array(20).fill(200));
  const receipts = await receiptsOf(bill);
  expect(receipts).toHaveLength(1);
  expect(await world.mails(`receipt/${receipts[0]?.id}`)).toHaveLength(1);
});

test('a pending payment has no effect until an update confirms it', async () => {
  const bill = await invoice();
  const event = await paid(bill, { amount: 1200, status: 'pending' });
  expect((await world.post(endpoint, event)).body.outcome).toBe('pending');
  expect(await receiptsOf(bill)).toEqual([]);
  const id = event.event.data.new?.id;
  await world.post(endpoint, await world.walk('invoice_payment', id, ['confirmed']));
  expect((await stateOf(bill)).status).toBe('paid');
  expect(await receiptsOf(bill)).toHaveLength(1);
});

test('a payment above the total is reported to the accounting role', async () => {
  const bill = await invoice();
  await world.post(endpoint, await paid(bill, { amount: '1200.01' }));
  expect((await stateOf(bill)).status).toBe('paid');
  expect(
    await world.countNotified('accounting', 'An invoice is overpaid', bill.number),
  ).toBeGreaterThan(0);
});

test('a payment in another currency than the invoice is not counted, and is reported to the accounting role', async () => {
  const bill = await invoice();
  const { body } = await world.post(endpoint, await paid(bill, { amount: 1200, currency: 'EUR' }));
  expect(body.outcome).toBe('other_currency');
  expect((await stateOf(bill)).status).toBe('issued');
  const title = 'A payment is in another currency than its invoice';
  expect(await world.countNotified('accounting', title, bill.number)).toBeGreaterThan(0);
});

test.each(['draft', 'void'])(
  'a payment does not mark an invoice as paid that is %s; the refused change of status is recorded',
  async (status) => {
    const bill = await invoice({ status });
    const event = await paid(bill, { amount: 1200 });
    expect((await world.post(endpoint, event)).body.outcome).toBe('refused');
    expect((await stateOf(bill)).status).toBe(status);
    expect(
      await world.rows(
        `select event_id, table_name, from_status, to_status from rowgate_webhooks.refused_move
       where row_id = $1`,
        [bill.id],
      ),
    ).toEqual([
      { event_id: event.id, table_name: 'invoice', from_status: status, to_status: 'paid' },
    ]);
  },
);

test.each([
  ['2999-01-01', 'issued'],
  ['2026-01-02', 'overdue'],
])(
  'a refund makes a paid invoice that is due %s unpaid again, with the status %s, and marks its receipt as void',
  async (due_on, status) => {
    const bill = await invoice({ due_on });
    const event = await paid(bill, { amount: 1200 });
    await world.post(endpoint, event);
    const refund = await world.walk('invoice_payment', event.event.data.new?.id, ['refunded']);
    expect((await world.post(endpoint, refund)).body.outcome).toBe('refunded');
    expect(await stateOf(bill)).toEqual({ status, paid_at: null });
    expect((await receiptsOf(bill)).map((receipt) => receipt.status)).toEqual(['void']);
  },
);

test('in an organization without administrators the accounting role gets the receipt, and without that role no mail is sent', async () => {
  const { id: organization } = await world.insert('organization', { name: 'Alone' });
  const lonely = { organization_id: organization, total: 1, status: 'issued' };
  const first = { organization, id: (await world.insert('invoice', lonely)).id };
  await world.post(endpoint, await paid(first, { amount: 1 }));
  expect(await receiptsOf(first)).toMatchObject([{ sent_to: null, sent: false }]);
  const accountant = await world.person(organization, 'accounting');
  const second = { organization, id: (await world.insert('invoice', lonely)).id };
  await world.post(endpoint, await paid(second, { amount: 1 }));
  expect(await receiptsOf(second)).toMatchObject([
    { sent_to: `${accountant.slice(6)}@elm.example` },
  ]);
});

test('a payment in another currency does not make up for a part of the total that is missing', async () => {
  const bill = await invoice();
  await world.post(endpoint, await paid(bill, { amount: '1199.00', currency: 'EUR' }));
  const { body } = await world.post(endpoint, await paid(bill, { amount: '1.00' }));
  expect(body.outcome).toBe('partial');
  expect(await world.statusOf('invoice', bill.id)).toBe('issued');
});

test('a refund makes an invoice unpaid again, also when there are payments in another currency', async () => {
  const bill = await invoice();
  await paid(bill, { amount: '1200.00', currency: 'EUR' });
  const event = await paid(bill, { amount: '1200.00' });
  await world.post(endpoint, event);
  expect(await world.statusOf('invoice', bill.id)).toBe('paid');
  const payment = String(event.event.data.new?.id);
  await world.post(endpoint, await world.walk('invoice_payment', payment, ['refunded']));
  expect(await world.statusOf('invoice', bill.id)).toBe('issued');
});
