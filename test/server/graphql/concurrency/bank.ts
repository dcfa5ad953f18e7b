import type pg from 'pg';
import { removeMetadata, writeMetadata } from '../../../permissions/support/metadata-files.ts';
import { createDatabase } from '../../../support/database.ts';
import { startTestServer, type TestServer } from '../../../support/http.ts';

const schema = `
create table account (
  id integer primary key,
  balance integer not null check (balance >= 0)
);
create table counter (
  name text primary key,
  hits integer not null default 0,
  last_by text not null
);
create table booking (
  id integer primary key,
  booked_by text not null default ''
);
create table entry (
  id integer primary key generated always as identity,
  booking_id integer not null references booking,
  slot integer not null unique
);
insert into account select id, 100 from generate_series(1, 4) as id;
`;

const everything = '{ filter: {}, columns: "*", allow_aggregations: true }';

const files = {
  'roles.yaml': 'roles: { clerk: { requires: [X-Gql-User-Id] } }',
  'tables/account.yaml': `
table: account
permissions:
  clerk: { select: ${everything}, update: { filter: {}, columns: [balance] } }
`,
  'tables/counter.yaml': `
table: counter
permissions:
  clerk:
    select: ${everything}
    insert: { check: {}, columns: [name, hits], set: { last_by: X-Gql-User-Id } }
    update: { filter: {}, columns: [hits], set: { last_by: X-Gql-User-Id } }
`,
  'tables/booking.yaml': `
table: booking
permissions:
  clerk:
    select: ${everything}
    insert: { check: {}, columns: [id], set: { booked_by: X-Gql-User-Id } }
`,
  'tables/entry.yaml': `
table: entry
permissions:
  clerk:
    select: ${everything}
    insert: { check: {}, columns: [booking_id, slot] }
`,
};

/** A server with accounts, counters and bookings that many clients write concurrently. */
export interface Bank {
  readonly server: TestServer;
  /** Runs a query as the owner of the database, and returns the number that it selects. */
  count(sql: string): Promise<number>;
  close(): Promise<void>;
}

/** Creates a database with four accounts of 100 each and no counters or bookings, and serves it. */
export async function openBank(): Promise<Bank> {
  const database = await createDatabase();
  const owner: pg.Client = await database.connectOwner();
  await owner.query(schema);
  const server = await startTestServer({ database, metadata: await writeMetadata(files) });
  return {
    server,
    count: async (sql) => Number(Object.values((await owner.query(sql)).rows[0])[0]),
    close: async () => {
      await server.stop();
      await removeMetadata();
      await database.drop();
    },
  };
}
