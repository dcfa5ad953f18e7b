import pino from 'pino';
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { connect } from '../../../../../server/db/connection.ts';
import { ChangeLedger } from '../../../../../server/graphql/subscriptions/changes/change-ledger.ts';
import type { ChangeReaderOptions } from '../../../../../server/graphql/subscriptions/changes/change-reader.ts';
import type { Changes } from '../../../../../server/graphql/subscriptions/changes/changes.ts';
import { removeMetadata } from '../../../../permissions/support/metadata-files.ts';
import { LogCapture } from '../../../../support/log-capture.ts';
import { until } from '../../../../support/until.ts';
import {
  cut,
  installLive,
  type LiveInstallation,
  makeReader,
  type Watch,
  watch,
} from './readers.ts';

let made: LiveInstallation;
beforeAll(async () => {
  made = await installLive();
});
afterAll(async () => {
  await made.drop();
  await removeMetadata();
});
beforeEach(() => made.owner.query('truncate item; delete from rowgate.live_change'));

const readerOf = (options: Partial<ChangeReaderOptions> = {}) => {
  const reader = makeReader(made.gatewayUrl, options);
  onTestFinished(() => reader.close());
  return reader;
};
const watched = (options: Partial<ChangeReaderOptions> = {}): Promise<Watch> =>
  watch(readerOf(options));
const allComplete = ({ reports }: Watch) => reports.slice(1).every((one) => one.isComplete);

describe('the reader of changes', () => {
  test('reports first that changes may be missing, and then every read, also without changes', async () => {
    const { reports, more } = await watched();
    await more(3);
    expect(reports.slice(0, 4).map(({ isComplete }) => isComplete)).toEqual([
      false,
      true,
      true,
      true,
    ]);
    expect(reports[1]?.readFrom).toBeGreaterThan(reports[0]?.readFrom ?? Number.NaN);
  });

  test('reports a committed statement once, with its keys and rows', async () => {
    const one = await watched();
    await made.owner.query('insert into item values (7), (8)');
    await until(async () => one.keys().length > 0);
    await one.more();
    expect(one.reports.flatMap(({ changes }) => changes)).toEqual([
      {
        table: 'public.item',
        keys: expect.toSatisfy((keys: string[]) => keys.toSorted().join() === 'id=7,id=8'),
        rows: [
          { key: '["7"]', moved: null },
          { key: '["8"]', moved: null },
        ],
      },
    ]);
  });

  test('reports a transaction that commits after one with a higher number', async () => {
    const one = await watched();
    const slow = await made.database.connectOwner();
    await slow.query('begin; insert into item values (1)');
    await made.owner.query('insert into item values (2)');
    await until(async () => one.keys().includes('id=2'));
    await one.more();
    await slow.query('commit');
    await until(async () => one.keys().length > 1);
    await one.more();
    expect(one.keys()).toEqual(['id=2', 'id=1']);
    expect(allComplete(one)).toBe(true);
  });

  test('reports changes of the time in which its connection was cut, once', async () => {
    const lines = new LogCapture();
    const one = await watched({ logger: pino({ level: 'info' }, lines) });
    await made.owner.query('insert into item values (1)');
    await until(async () => one.keys().includes('id=1'));
    expect(await cut(made)).toBeGreaterThan(0);
    await made.owner.query('insert into item values (2)');
    await until(async () => one.keys().includes('id=2'));
    await one.more();
    expect(one.keys()).toEqual(['id=1', 'id=2']);
    expect(allComplete(one)).toBe(true);
    await lines.lineWith('reading live tables again');
    expect(lines.text.match(/cannot read the changes/g)).toHaveLength(1);
  });

  test.each([
    ['too many', `'{}' from generate_series(1, 50001)`],
    ['too large', `array[repeat('x', 500)] from generate_series(1, 40000)`],
  ])(
    'reports once that changes may be missing if they are %s, so that they do not fill the memory',
    async (_what, keys) => {
      const one = await watched();
      await made.owner.query(
        `insert into rowgate.live_change (table_key, keys) select '', ${keys}`,
      );
      await until(async () => !allComplete(one));
      await made.owner.query('insert into item values (1)');
      await until(async () => one.keys().length > 0);
      expect(one.keys()).toEqual(['id=1']);
      expect(one.reports.filter(({ isComplete }) => !isComplete)).toHaveLength(2);
    },
  );

  test('logs only the first of several failures', async () => {
    const lines = new LogCapture();
    let attempts = 0;
    const reader = readerOf({
      logger: pino({ level: 'info' }, lines),
      url: async () => {
        attempts += 1;
        return 'postgres://nobody@127.0.0.1:1/none';
      },
    });
    reader.listen(() => {});
    await until(async () => attempts >= 4);
    expect(lines.text.match(/cannot read the changes/g)).toHaveLength(1);
  });

  test('reads at once when it is woken', async () => {
    const one = await watched({ intervalMs: 600_000 });
    await made.owner.query('insert into item values (1)');
    one.reader.wake();
    await until(async () => one.keys().includes('id=1'));
    expect(one.reports).toHaveLength(2);
  });

  test('connects only when there is a listener', async () => {
    let asked = 0;
    const quiet = readerOf({
      url: async () => {
        asked += 1;
        return made.gatewayUrl;
      },
    });
    quiet.wake();
    const other = await watched();
    await other.more(5);
    expect(asked).toBe(0);
    const { more } = await watch(quiet);
    await more();
    expect(asked).toBe(1);
  });

  test('reports that changes may be missing to a listener that comes after a pause', async () => {
    let asked = 0;
    const url = async () => {
      asked += 1;
      return made.gatewayUrl;
    };
    const one = await watched({ keptMs: 50, url });
    one.leave();
    await until(async () => asked >= 2);
    const later = await watch(one.reader);
    expect(later.reports[0]?.isComplete).toBe(false);
  });

  test('passes changes on to all listeners if one of them throws', async () => {
    const reader = readerOf();
    const lines: Changes[] = [];
    reader.listen(() => {
      throw new Error('of a test');
    });
    reader.listen((changes) => lines.push(changes));
    await until(async () => lines.length > 2);
    expect(lines.slice(1).every(({ isComplete }) => isComplete)).toBe(true);
  });

  test('reports that changes may be missing when the record was emptied, as by a crash of Postgres', async () => {
    const one = await watched();
    await made.owner.query('truncate rowgate.live_change, rowgate.live_ledger');
    await until(async () => one.reports.slice(1).some(({ isComplete }) => !isComplete));
    await made.owner.query('insert into item values (3)');
    await until(async () => one.keys().includes('id=3'));
    expect(one.reports.at(-1)?.isComplete).toBe(true);
  });

  test('starts a new record in a database that was restored from a cluster with higher transaction numbers', async () => {
    await made.owner.query(`truncate rowgate.live_change; update rowgate.live_ledger set floor = '999999999999';
      insert into rowgate.live_change (xid, table_key) values ('999999999999', 'public.item')`);
    const one = await watched();
    await made.owner.query('insert into item values (4)');
    await until(async () => one.keys().includes('id=4'));
    await one.more();
    expect(one.keys()).toEqual(['id=4']);
    expect(allComplete(one)).toBe(true);
  });
});

describe('sweeping', () => {
  const recorded = async () => {
    const { rows } = await made.owner.query<{ count: number }>(
      'select count(*)::int as count from rowgate.live_change',
    );
    return rows[0]?.count;
  };
  /** A place in the record, on a connection of its own. */
  const ledgerOf = async (keptMs = 0) => {
    const client = await connect(made.gatewayUrl);
    onTestFinished(() => client.end());
    const ledger = new ChangeLedger(keptMs);
    await ledger.start(client);
    await ledger.read(client);
    return {
      read: () => ledger.read(client),
      sweep: () => ledger.sweep(client),
    };
  };

  test('deletes changes without listeners', async () => {
    await made.owner.query('insert into item values (1)');
    readerOf({ keptMs: 30 });
    await until(async () => (await recorded()) === 0);
    expect(await recorded()).toBe(0);
  });

  test('keeps changes that are not old enough', async () => {
    const one = await ledgerOf(600_000);
    await made.owner.query('insert into item values (1)');
    await one.read();
    await one.sweep();
    expect(await recorded()).toBeGreaterThan(0);
  });

  test('makes a reader that was behind report that changes may be missing', async () => {
    const [slow, other] = [await ledgerOf(), await ledgerOf()];
    await made.owner.query('insert into item values (1)');
    // Transactions of other databases delay sweeping.
    await until(async () => {
      await other.read();
      await other.sweep();
      return (await recorded()) === 0;
    });
    expect(await slow.read()).toMatchObject({ isComplete: false });
    expect(await slow.read()).toMatchObject({ isComplete: true, changes: [] });
  });

  test('keeps changes of a long transaction, and loses nothing for a reader that waits for it', async () => {
    const long = await made.database.connectOwner();
    await long.query('begin; insert into item values (1)');
    await made.owner.query('insert into item values (2)');
    const [first, second, waiting] = [await ledgerOf(), await ledgerOf(), await ledgerOf()];
    for (const id of [3, 4]) await made.owner.query('insert into item values ($1)', [id]);
    await first.sweep();
    await long.query('commit');
    await second.sweep();
    const read = await waiting.read();
    expect(read.isComplete).toBe(true);
    expect(read.changes.flatMap(({ keys }) => keys).toSorted()).toEqual(['id=1', 'id=3', 'id=4']);
  });

  test('never deletes changes of transactions that may still run, whatever is asked for', async () => {
    const long = await made.database.connectOwner();
    await long.query('begin; insert into item values (1)');
    const gateway = await connect(made.gatewayUrl);
    onTestFinished(() => gateway.end());
    await gateway.query(`select rowgate_api.live_start(), rowgate_api.live_sweep('999999999999')`);
    await long.query('commit');
    const { rows } = await made.owner.query(
      'select c.xid >= l.floor as kept from rowgate.live_change c cross join rowgate.live_ledger l',
    );
    expect(rows).toEqual([{ kept: true }]);
  });

  test('is left to another session that sweeps', async () => {
    const other = await made.database.connectOwner();
    const one = await ledgerOf();
    await made.owner.query('insert into item values (1)');
    await one.read();
    await other.query('begin; select from rowgate.live_ledger for update');
    await one.sweep();
    expect(await recorded()).toBeGreaterThan(0);
    await other.query('rollback');
  });
});
