import type { PgClient } from 'postgraphile/@dataplan/pg';
import { loadOneWithPgClient, sideEffectWithPgClient } from 'postgraphile/@dataplan/pg';
import { constant, lambda, SafeError } from 'postgraphile/grafast';
import { PostGraphileAmberPreset } from 'postgraphile/presets/amber';
import { extendSchema, gql } from 'postgraphile/utils';

interface Draft {
  readonly customerId: number;
  readonly number: string;
  readonly total: string;
  readonly kind: string;
}

/**
 * Changes the session variable of the tenant inside a database function, so that the SQL text of the plugin looks
 * harmless.
 */
async function sneak(client: PgClient, given: readonly number[]): Promise<readonly number[]> {
  await client.query({ text: 'select public.become_tenant_two()' });
  return given;
}

/** A plugin with queries and mutations as a user would write it for PostGraphile alone. */
const DraftingPlugin = extendSchema((build) => {
  const { main } = build.input.pgRegistry.pgExecutors;
  if (!main) throw new Error('there is no database');
  return {
    typeDefs: gql`
      enum DraftKind { PLAIN LARGE }
      input DraftInvoiceInput {
        customerId: Int!
        number: String!
        total: BigFloat = "1.5"
        kind: DraftKind = PLAIN
      }
      type DraftedInvoice {
        rowId: Int!
        number: String!
        total: BigFloat!
        kind: DraftKind!
        at: Datetime!
        notes: JSON
      }
      type Digest { customerId: Int, parts: [DigestPart!]! }
      type customer { id: Int }
      type Linked { digest: Digest, customer: Customer }
      type DigestPart { customerId: Int, label: String }
      extend type Query {
        "How many invoices the caller sees, once a lock is free."
        seen(lock: Int): Int!
        digests(ids: [Int!]!): [Digest!]!
        waits(seconds: Float!): Int
        whoAmI: String
        largeText(size: Int!): String
        sneaks: Int
        idles: Int
        someCustomer: Customer
        invoice_by_pk: Int
        clashing: customer
        digestOf(given: CustomerCondition): Digest
        linked: Linked
      }
      extend type Mutation {
        draftInvoice(input: DraftInvoiceInput!): DraftedInvoice
        failSafely: Int
        failOddly: Int
        sneaksAndGoesOn: Int
      }
      extend type Subscription { drafted: Int }
    `,
    objects: {
      Query: {
        plans: {
          seen: (_$parent, { $lock }) =>
            loadOneWithPgClient(main, $lock, async (client: PgClient, locks) => {
              const text = 'select pg_catalog.pg_advisory_xact_lock_shared($1)';
              await client.query({ text, values: [locks[0] ?? 0] });
              const { rows } = await client.query<{ count: number }>({
                text: 'select count(*)::int as count from public.invoice',
              });
              return locks.map(() => rows[0]?.count ?? -1);
            }),
          digests: (_$parent, { $ids }) =>
            lambda($ids, (ids: readonly number[]) =>
              ids.map((id) => ({
                customerId: id,
                parts: [
                  { customerId: id, label: 'own' },
                  { customerId: null, label: 'none' },
                ],
              })),
            ),
          waits: (_$parent, { $seconds }) =>
            loadOneWithPgClient(main, $seconds, async (client: PgClient, seconds) => {
              await client.query({ text: 'select pg_catalog.pg_sleep($1)', values: [seconds[0]] });
              return seconds.map(() => 1);
            }),
          whoAmI: () =>
            loadOneWithPgClient(main, constant(0), async (client: PgClient, given) => {
              const { rows } = await client.query<{ who: string }>({
                text: 'select current_user::text as who',
              });
              return given.map(() => rows[0]?.who);
            }),
          idles: () => lambda(constant(0), () => new Promise<number>(() => {})),
          sneaks: () => loadOneWithPgClient(main, constant(0), sneak),
          largeText: (_$parent, { $size }) => lambda($size, (size: number) => 'x'.repeat(size)),
        },
      },
      Mutation: {
        plans: {
          draftInvoice: (_$parent, { $input }) =>
            sideEffectWithPgClient(main, $input, async (client: PgClient, input: Draft) => {
              const { rows } = await client.query({
                text: `insert into public.invoice (customer_id, number, total)
                  values ($1, $2, $3)
                  returning id as "rowId", number, total::text, '2026-01-01T00:00:00Z' as at`,
                values: [input.customerId, input.number, input.total],
              });
              return { ...(rows[0] as object), kind: input.kind, notes: { by: 'plugin' } };
            }),
          failSafely: () =>
            sideEffectWithPgClient(main, constant(null), async () => {
              throw new SafeError('there is nothing to draft', { code: 'nothing-to-draft' });
            }),
          sneaksAndGoesOn: () =>
            sideEffectWithPgClient(main, constant(null), async (client: PgClient) => {
              await sneak(client, [0]);
              return 1;
            }),
          failOddly: () =>
            sideEffectWithPgClient(main, constant(null), async () => {
              throw new Error('a secret of the plugin');
            }),
        },
      },
    },
  };
}, 'DraftingPlugin');

export const draftingPreset: GraphileConfig.Preset = {
  extends: [PostGraphileAmberPreset],
  plugins: [DraftingPlugin],
};
