import { Type } from 'typebox';
import type { CallbackProvider } from './callback-provider.ts';
import { amountProblem, firstOf, member, timeProblem } from './field-values.ts';

const decimal = (description: string) =>
  Type.Unsafe<string | number>({ type: ['number', 'string'], description });

/** A callback of the custody provider. */
export const custodyPayload = Type.Object(
  {
    hash: Type.String({
      description: "The transaction's hash on the network, empty until it has one",
    }),
    transfer: Type.String({ maxLength: 256, description: "The transfer's id at the provider" }),
    coin: Type.String({ maxLength: 64, description: "The wallet's coin, in any letter case" }),
    type: Type.String({
      maxLength: 64,
      description: '`deposit`, `withdrawal`, `transfer`, `pendingapproval` or `balance`',
    }),
    state: Type.String({
      maxLength: 64,
      description: 'E.g. `pending_approval`, `pending`, `confirmed`, `failed`, `rejected`',
    }),
    walletId: Type.String({ minLength: 1, maxLength: 256 }),
    amount: Type.Optional(decimal('The number of coins; without it only known transfers change')),
    fee: Type.Optional(decimal('The additional fee of the network, in coins')),
    direction: Type.Optional(
      Type.Enum(['in', 'out'], {
        description: 'The direction of a `transfer`, as seen from the wallet',
      }),
    ),
    address: Type.Optional(Type.String({ description: 'The address at the other end' })),
    balance: Type.Optional(decimal('The number of coins in the wallet; for the type `balance`')),
    timestamp: Type.Optional(
      Type.String({
        description: 'The time of the event, ISO 8601; default: when the callback arrived',
      }),
    ),
  },
  { title: 'CustodyCallback' },
);

const coins = { whole: 20, places: 18 };

/** The custody provider, which reports transfers and balances of wallets. */
export const custodyProvider: CallbackProvider = {
  name: 'custody',
  schema: custodyPayload,
  problemOf: (exact) =>
    firstOf([
      ...['amount', 'fee', 'balance'].map((name) =>
        amountProblem(name, member(exact, name), coins),
      ),
      timeProblem('timestamp', member(exact, 'timestamp')),
    ]),
  keyOf: () => undefined,
  effect: 'rowgate_webhooks.apply_custody',
  messagesAbout: () => [],
};
