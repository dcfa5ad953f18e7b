import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { RenderQueueFull } from '../../../../../server/rendering/pdf/pdf-renderer.ts';
import { checkPdf, lacksPdfTools, textOf } from '../../../../support/pdf-tools.ts';
import { openReportWorld, type ReportWorld } from './report-world.ts';

const alder = '00000000-0000-4000-8000-000000000001';
const birch = '00000000-0000-4000-8000-000000000002';
const cedar = '00000000-0000-4000-8000-000000000003';
const cedarGrowth = '40000000-0000-4000-8000-000000000001';
const admin = 'local|alder-admin';
const investor = 'local|alder-investor';

let world: ReportWorld;
beforeAll(async () => {
  world = await openReportWorld();
});
beforeEach(async () => {
  await world.owner.query('delete from public.notification');
});
afterAll(() => world.close());

const reportOf = (id: string) => world.row('select * from public.report where id = $1', [id]);

test('a requested report is generated as a file of the person who requested it, and that person is notified', async () => {
  const id = await world.request({ organization_id: alder, created_by: admin });
  expect(await world.generate()).toBe(1);
  const report = await reportOf(id);
  expect(report).toMatchObject({ status: 'ready', status_reason: null });
  expect(report.generated_at).not.toBeNull();
  const file = await world.row('select * from public.uploaded_file where id = $1', [
    report.uploaded_file_id,
  ]);
  expect(file).toMatchObject({
    user_id: admin,
    original_name: 'Our report.pdf',
    content_type: 'application/pdf',
    size: String((await world.fileOf(id)).length),
  });
  expect(await world.row('select * from public.notification')).toMatchObject({
    user_id: admin,
    title: 'A report is ready',
    link: `/static/file-uploads/${file.name}`,
  });
});

test('generating reports leaves drafts and finished reports unchanged', async () => {
  await world.request({ organization_id: alder, status: 'draft' });
  expect(await world.generate()).toBe(0);
});

test('a report whose process ended while generating it is generated again after a while', async () => {
  const id = await world.request({ organization_id: alder, created_by: admin });
  await world.owner.query(`update public.report set status = 'generating' where id = $1`, [id]);
  const changedAgo = async (time: string) => {
    await world.owner.query('alter table public.report disable trigger touch_updated_at');
    await world.owner.query(
      'update public.report set updated_at = now() - $2::interval where id = $1',
      [id, time],
    );
    await world.owner.query('alter table public.report enable trigger touch_updated_at');
  };
  await changedAgo('14 minutes');
  expect(await world.generate()).toBe(0);
  await changedAgo('16 minutes');
  expect(await world.generate()).toBe(1);
  expect(await reportOf(id)).toMatchObject({ status: 'ready' });
});

test('two processes that generate reports at the same time generate each one once', async () => {
  const ids: string[] = [];
  for (let n = 0; n < 6; n += 1) ids.push(await world.request({ organization_id: alder }));
  const [one, other] = await Promise.all([world.generate(), world.generate()]);
  expect((one ?? 0) + (other ?? 0)).toBe(ids.length);
});

test('a report on a fund that names no fund fails with the reason', async () => {
  const id = await world.request({ organization_id: alder, kind: 'fund', created_by: admin });
  expect(await world.generate()).toBe(0);
  const reason = 'the report names no fund';
  expect(await reportOf(id)).toMatchObject({ status: 'failed', status_reason: reason });
  expect(await world.row('select * from public.notification')).toMatchObject({
    title: 'A report could not be made',
    body: `Our report: ${reason}`,
  });
});

test('a report with too many rows fails, and its message says how to get a smaller one', async () => {
  const wallet = await world.row(
    'select id, coin from public.digital_wallet where organization_id = $1 limit 1',
    [birch],
  );
  await world.owner.query(
    `insert into public.asset_transaction (organization_id, digital_wallet_id, coin, amount, occurred_at, status)
     select $1, $2, $3, 1, '2024-05-01', 'pending' from generate_series(1, 4001)`,
    [birch, wallet.id, wallet.coin],
  );
  const period = { period_from: '2024-01-01', period_to: '2024-12-31' };
  const id = await world.request({ organization_id: birch, kind: 'transactions', ...period });
  await world.generate();
  expect(await reportOf(id)).toMatchObject({
    status: 'failed',
    status_reason: 'there is more in this period than can be printed; choose a shorter one',
  });
});

test('when the file of one report cannot be stored, that report waits and the others are generated', async () => {
  const ids = [
    await world.request({ organization_id: alder }),
    await world.request({ organization_id: birch }),
  ];
  const store = async () => {
    throw new Error('the storage is away');
  };
  await expect(world.generate({ storage: { ...world.storage, store } })).rejects.toThrow(
    '2 reports could not be created',
  );
  for (const id of ids) expect(await reportOf(id)).toMatchObject({ status: 'requested' });
  expect(await world.generate()).toBe(2);
});

test('a report is tried again later when the queue for PDFs is full', async () => {
  let full = true;
  const render: ReportWorld['renderer']['render'] = async (document) => {
    if (!full) return world.renderer.render(document);
    full = false;
    throw new RenderQueueFull();
  };
  await world.request({ organization_id: alder });
  expect(await world.generate({ renderer: { ...world.renderer, render } })).toBe(1);
});

describe('the file of a generated report', () => {
  test('belongs, for a report on a person, to that person', async () => {
    const id = await world.request({
      organization_id: alder,
      user_id: investor,
      created_by: admin,
    });
    await world.generate();
    expect((await world.open(id, investor)).status).toBe(200);
    expect((await world.open(id, admin)).status).toBe(403);
    const { count } = await world.row(
      'select count(distinct user_id)::integer from public.notification where title = $1',
      ['A report is ready'],
    );
    expect(count).toBe(2);
  });

  test.each(['compliance', 'audit'])(
    'belongs, for a %s report, to the person who requested it, of any organization, and never to the person it is about',
    async (kind) => {
      const auditor = 'local|cedar-auditor';
      const columns = { organization_id: alder, user_id: investor, created_by: auditor, kind };
      const id = await world.request(columns);
      await world.generate();
      expect((await world.open(id, auditor)).status).toBe(200);
      expect((await world.open(id, investor)).status).toBe(403);
      expect((await world.open(id, admin)).status).toBe(403);
    },
  );
});

describe.skipIf(lacksPdfTools())('the pages of a generated report', () => {
  const kinds = ['portfolio', 'transactions', 'tax', 'compliance', 'audit'];

  test.each(kinds)(
    'on an organization, %s, contain nothing of other organizations',
    async (kind) => {
      const id = await world.request({ organization_id: alder, kind });
      await world.generate();
      const pdf = await world.fileOf(id);
      await checkPdf(pdf);
      const text = (await textOf(pdf)).join('\n');
      expect(text).toContain('Alder Capital');
      expect(text).not.toMatch(/birch|cedar|dogwood/i);
    },
  );

  test('on a person contain only wallets of that person', async () => {
    const id = await world.request({
      organization_id: alder,
      user_id: investor,
      kind: 'transactions',
    });
    await world.generate();
    const text = (await textOf(await world.fileOf(id))).join('\n');
    expect(text).toMatch(/Cleo\s+personal/);
    expect(text).not.toMatch(/treasury|operations|escrow/i);
  });

  test('on a fund contain sums, but not the names of investors', async () => {
    const id = await world.request({ organization_id: cedar, fund_id: cedarGrowth, kind: 'fund' });
    await world.generate();
    const text = (await textOf(await world.fileOf(id))).join('\n');
    expect(text).toContain('Cedar Growth');
    expect(text).toContain('250,000.00');
    const { rows } = await world.owner.query<{ readonly full_name: string }>(
      'select u.full_name from public.fund_subscription s join public."user" u on u.id = s.user_id where s.fund_id = $1',
      [cedarGrowth],
    );
    expect(rows.length).toBeGreaterThan(0);
    expect(rows.filter(({ full_name }) => text.includes(full_name))).toEqual([]);
  });

  test('cover the time from the first day to the end of the last one, in UTC', async () => {
    const wallet = await world.row(
      'select id, coin, label from public.digital_wallet where organization_id = $1 limit 1',
      [cedar],
    );
    const times = [
      ['2023-02-28T23:59:59.999Z', '111'],
      ['2023-03-01T00:00:00Z', '222'],
      ['2023-03-31T23:59:59.999Z', '333'],
      ['2023-04-01T00:00:00Z', '444'],
    ];
    for (const [at, amount] of times) {
      await world.owner.query(
        `insert into public.asset_transaction (organization_id, digital_wallet_id, coin, amount, occurred_at)
         values ($1, $2, $3, $4, $5)`,
        [cedar, wallet.id, wallet.coin, amount, at],
      );
    }
    const period = { period_from: '2023-03-01', period_to: '2023-03-31' };
    const id = await world.request({ organization_id: cedar, kind: 'transactions', ...period });
    await world.generate();
    const text = (await textOf(await world.fileOf(id))).join('\n');
    expect(['111', '222', '333', '444'].filter((amount) => text.includes(amount))).toEqual([
      '222',
      '333',
    ]);
  });

  test('contain no sum or value when the rows do not provide it', async () => {
    const wallet = await world.row(
      'select id from public.digital_wallet where organization_id = $1 limit 1',
      [alder],
    );
    const amount = '12345678901234567890.123456789012345678';
    await world.owner.query(
      `insert into public.asset_transaction (organization_id, digital_wallet_id, coin, amount, occurred_at)
       values ($1, $2, 'BTC', $3, '2022-05-05')`,
      [alder, wallet.id, amount],
    );
    const period = { period_from: '2022-01-01', period_to: '2022-12-31' };
    const id = await world.request({ organization_id: alder, kind: 'transactions', ...period });
    await world.generate();
    const text = (await textOf(await world.fileOf(id))).join('').replaceAll(/[\s,]/g, '');
    expect(text).toContain(amount);
  });
});
