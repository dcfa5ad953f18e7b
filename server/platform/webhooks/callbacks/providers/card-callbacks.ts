import { Type } from 'typebox';
import type { CallbackProvider } from './callback-provider.ts';
import { amountProblem, firstOf, member, timeProblem } from './field-values.ts';

/** A callback of the card issuer. */
export const cardPayload = Type.Object(
  {
    eventId: Type.Optional(
      Type.Unknown({
        description:
          "The event's id at the issuer, text or a number. Without it, transactionId, type, time and amounts identify the event, or else all of its fields",
      }),
    ),
    eventType: Type.String({
      minLength: 1,
      maxLength: 64,
      description:
        '`TRANSACTION_AUTHORIZED`, `_SETTLED`, `_DECLINED`, `_REVERSED`; `CARD_ACTIVATED`, `_FROZEN`, `_UNFROZEN`, `_LOCKED`, `_UNLOCKED`, `_EXPIRED`, `_CANCELLED`',
    }),
    cardId: Type.String({ minLength: 1, maxLength: 256 }),
    timestamp: Type.String({ description: 'When it happened, ISO 8601' }),
    amount: Type.Optional(
      Type.Unsafe<string | number>({
        type: ['number', 'string'],
        description:
          'At most two decimals. Like currency and merchantName, required unless the eventType begins with `CARD_`',
      }),
    ),
    currency: Type.Optional(Type.String({ pattern: '^[A-Z]{3}$', description: 'ISO 4217' })),
    merchantName: Type.Optional(Type.String({ maxLength: 1000 })),
    merchantCategory: Type.Optional(Type.String({ description: 'Four digits, ISO 18245' })),
    transactionId: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 256,
        description:
          'The id that all events of a payment share. Without it, merchant and amount identify the payment',
      }),
    ),
    billingAmount: Type.Optional(
      Type.Unsafe<string | number>({
        type: ['number', 'string'],
        description: "The amount in the card's currency, when it differs from currency",
      }),
    ),
    declineReason: Type.Optional(Type.String({ maxLength: 1000 })),
  },
  { title: 'CardCallback' },
);

const money = { whole: 18, places: 2 };

/** The card issuer, which reports payments and changes of cards. */
export const cardProvider: CallbackProvider = {
  name: 'card',
  schema: cardPayload,
  problemOf: (exact) =>
    firstOf([
      ...(isAboutCard(exact) ? [] : ['amount', 'currency', 'merchantName'].map(missing(exact))),
      ...['amount', 'billingAmount'].map((name) => amountProblem(name, member(exact, name), money)),
      timeProblem('timestamp', member(exact, 'timestamp')),
    ]),
  keyOf: () => undefined,
  effect: 'rowgate_webhooks.apply_card',
  messagesAbout: () => [],
};

function isAboutCard(exact: unknown): boolean {
  return String(member(exact, 'eventType')).toUpperCase().startsWith('CARD_');
}

function missing(exact: unknown): (name: string) => string | undefined {
  return (name) => (member(exact, name) === undefined ? `${name} is missing` : undefined);
}
