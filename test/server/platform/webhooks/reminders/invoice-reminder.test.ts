import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { ReminderWorld } from './reminder-world.ts';

const alder = '00000000-0000-4000-8000-000000000001';

let world: ReminderWorld;
beforeAll(async () => {
  world = await ReminderWorld.open();
});
beforeEach(() => world.silence());
afterAll(() => world.close());

/** Inserts an invoice that was due this many days ago, in UTC. Returns its id. */
async function bill(days: number, total = '1000.00'): Promise<string> {
  const { id } = await world.row(
    `insert into public.invoice (organization_id, total, currency, status, issued_on, due_on)
     select $1, $2, 'CHF', 'issued', d - 30, d from (select (now() at time zone 'UTC')::date - $3::integer) t (d)
     returning id`,
    [alder, total, days],
  );
  return id;
}

async function pay(invoice: string, amount: string, status = 'confirmed'): Promise<void> {
  await world.owner.query(
    `insert into public.invoice_payment (organization_id, invoice_id, amount, currency, status)
     values ($1, $2, $3, 'CHF', $4)`,
    [alder, invoice, amount, status],
  );
}

const statusOf = async (id: string) =>
  (await world.row('select status from public.invoice where id = $1', [id])).status;

test('an invoice becomes overdue on the day after its due date, and its organization is reminded of the open amount', async () => {
  const id = await bill(1);
  await pay(id, '249.90');
  await pay(id, '100.00', 'pending');
  expect(await world.call('invoice')).toEqual({
    status: 200,
    body: { duplicate: false, moved: 1, reminded: 1 },
  });
  expect(await statusOf(id)).toBe('overdue');
  const [mail, another] = await world.mails();
  expect(another).toBeUndefined();
  expect(mail?.recipient).toBe('admin@alder.example');
  expect(mail?.text).toMatch(/Amount open: +CHF\s750\.10/);
  expect(mail?.text).toContain(`${world.server.url}/open/invoices/${id}`);
  const { reminded_at } = await world.row('select * from public.invoice where id = $1', [id]);
  expect(reminded_at).not.toBeNull();
});

test('the first reminder says which invoice of whom is overdue, since when and by how much', async () => {
  const id = await bill(1);
  await pay(id, '249.90');
  const { number, due } = await world.row(
    `select invoice_number as number, to_char(due_on, 'FMDD FMMonth YYYY') as due from public.invoice where id = $1`,
    [id],
  );
  await world.call('invoice');
  const [mail] = await world.mails();
  expect(mail?.text.replaceAll(/\s+/g, ' ')).toContain(
    `Invoice ${number} of Rowgate to Alder Capital for CHF 1,000.00 was due on ${due}. CHF 750.10 of it has not been paid.`,
  );
});

test('an invoice is overdue on the day after its due date in the time zone of its organization', async () => {
  // The two zones are 25 hours apart, so their days always differ.
  const ids: string[] = [];
  for (const zone of ['Pacific/Kiritimati', 'Pacific/Pago_Pago']) {
    const { id } = await world.row(
      `with o as (insert into public.organization (time_zone) values ($1) returning id)
       insert into public.invoice (organization_id, total, status, issued_on, due_on)
       select o.id, 10, 'issued', d, d from o, (select (now() at time zone 'Pacific/Pago_Pago')::date) t (d) returning id`,
      [zone],
    );
    ids.push(id);
  }
  await world.call('invoice');
  expect(await Promise.all(ids.map(statusOf))).toEqual(['overdue', 'issued']);
});

test('an invoice is not yet overdue on its due date, in UTC', async () => {
  const id = await bill(0);
  expect((await world.call('invoice')).body).toMatchObject({ moved: 0, reminded: 0 });
  expect(await statusOf(id)).toBe('issued');
});

test.each([
  [1, 'Payment overdue'],
  [6, 'Payment overdue'],
  [7, 'Payment reminder'],
  [14, 'Payment reminder'],
  [30, 'Final reminder'],
  [400, 'Final reminder'],
])(
  'the subject of the reminder %i days after the due date begins with %s',
  async (days, subject) => {
    await bill(days);
    await world.call('invoice');
    expect((await world.mails())[0]?.subject).toMatch(new RegExp(`^${subject}: `));
  },
);

test('an invoice causes one reminder for each stage of delay, however often the schedule calls the endpoint', async () => {
  const id = await bill(1);
  await world.call('invoice');
  await world.call('invoice');
  const later = async (days: number) => {
    await world.owner.query(
      `update rowgate_webhooks.reminder set stage = replace(stage, (select due_on::text from public.invoice where id = $1),
         (select (due_on - $2::integer)::text from public.invoice where id = $1))`,
      [id, days],
    );
    await world.owner.query(
      'update public.invoice set issued_on = null, due_on = due_on - $2::integer where id = $1',
      [id, days],
    );
    await world.call('invoice');
  };
  await later(4);
  expect(await world.mails()).toHaveLength(1);
  for (const days of [2, 1, 6, 1, 16, 100]) await later(days);
  const stages = (await world.mails()).map(({ key }) => key.split('/').at(-1));
  expect(stages.sort()).toEqual(['1', '14', '30', '7']);
});

test('a call with the same event id is answered as a duplicate', async () => {
  const id = randomUUID();
  await world.call('invoice', id);
  await bill(1);
  expect((await world.call('invoice', id)).body).toEqual({ duplicate: true });
  expect(await world.mails()).toEqual([]);
});

test('two calls of the schedule at the same time send one reminder', async () => {
  for (let n = 0; n < 10; n += 1) await bill(1);
  const answers = await Promise.all([world.call('invoice'), world.call('invoice')]);
  expect(answers.reduce((sum, { body }) => sum + Number(body.reminded), 0)).toBe(10);
  expect(await world.mails()).toHaveLength(10);
});

test.each([
  ['is paid in full', async (id: string) => pay(id, '1000.00')],
  ['is void', (id: string) => set(id, "status = 'void'")],
  ['is a draft', (id: string) => set(id, "status = 'issued', due_on = null")],
  ['is a credit note', (id: string) => set(id, 'total = -5')],
])('an invoice causes no reminder when it %s', async (_title, change) => {
  const id = await bill(3);
  await change(id);
  const before = await statusOf(id);
  expect((await world.call('invoice')).body).toMatchObject({ moved: 0, reminded: 0 });
  expect(await statusOf(id)).toBe(before);
});

async function set(id: string, what: string): Promise<void> {
  await world.owner.query(`update public.invoice set ${what} where id = $1`, [id]);
}

test('an organization without recipients for its invoices is reminded once it has one', async () => {
  await bill(1);
  await world.owner.query(
    `update public."user" set status = 'disabled' where organization_id = $1`,
    [alder],
  );
  expect((await world.call('invoice')).body).toMatchObject({ moved: 1, reminded: 0 });
  await world.owner.query(`update public."user" set status = 'active' where organization_id = $1`, [
    alder,
  ]);
  expect((await world.call('invoice')).body).toMatchObject({ moved: 0, reminded: 1 });
});

test('overdue invoices are all processed when they do not fit into one batch', async () => {
  await world.owner.query(
    `insert into public.invoice (organization_id, total, currency, status, due_on)
     select $1, 10, 'USD', 'issued', (now() at time zone 'UTC')::date - 2 from generate_series(1, 1250)`,
    [alder],
  );
  expect((await world.call('invoice')).body).toMatchObject({ moved: 1250, reminded: 1250 });
  const { waiting, jobs } = await world.row(
    `select (select count(*)::integer from rowgate_mail.outbox) as waiting,
       (select count(*)::integer from rowgate_queue.job j join rowgate_mail.outbox o on o.id = j.id) as jobs`,
  );
  expect({ waiting, jobs }).toEqual({ waiting: 1250, jobs: 1250 });
});

test('a call of a reminder endpoint without the platform token is refused', async () => {
  const response = await world.server.fetch('/webhooks/on-invoice-reminder', { method: 'POST' });
  expect(response.status).toBe(401);
});

test.each([[''], ['x'.repeat(201)], [7]])(
  'a call of a reminder endpoint with the event id %j is refused',
  async (id) => {
    expect((await world.callWith('invoice', { id })).status).toBe(400);
  },
);

test('a call of a reminder endpoint is answered 503 while the database cannot process it, so that the schedule tries again', async () => {
  const name = 'rowgate_webhooks.remind_invoices(text, uuid, integer)';
  await world.owner.query(`alter function ${name} rename to set_aside`);
  const answer = await world.call('invoice');
  await world.owner.query(
    `alter function ${name.replace('remind_invoices', 'set_aside')} rename to remind_invoices`,
  );
  expect([answer.status, answer.body.code]).toEqual([503, 'unavailable']);
});

test('an invoice whose due date is extended causes a new reminder after the new due date', async () => {
  const id = await bill(2);
  await world.call('invoice');
  await set(id, 'due_on = due_on + 1');
  expect((await world.call('invoice')).body).toMatchObject({ reminded: 1 });
  expect(await world.mails()).toHaveLength(2);
});
