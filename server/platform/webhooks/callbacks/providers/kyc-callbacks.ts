import { Type } from 'typebox';
import type { CallbackProvider } from './callback-provider.ts';
import { firstOf, member, timeProblem } from './field-values.ts';

const id = (description: string) => Type.String({ minLength: 1, maxLength: 256, description });

const reviewedDocument = Type.Object({
  documentId: id('The id at the provider'),
  reviewAnswer: Type.String({ description: '`GREEN` or `RED`' }),
  documentType: Type.Optional(
    Type.String({ description: 'A type of document: `passport`, `id_card`, …' }),
  ),
  country: Type.Optional(Type.String({ description: 'Two letters of ISO 3166-1' })),
  reason: Type.Optional(Type.String({ maxLength: 4000, description: 'Why it was rejected' })),
});

/** A callback of the KYC provider. */
export const kycPayload = Type.Object(
  {
    eventId: Type.Optional(
      Type.Unknown({
        description:
          "The event's id at the provider, text or a number. Without it, all fields identify the event",
      }),
    ),
    applicantId: id("The person's id at the provider"),
    inspectionId: Type.String({ maxLength: 256 }),
    externalUserId: id("The person's id here"),
    type: Type.String({
      minLength: 1,
      maxLength: 64,
      description:
        '`applicantCreated`, `applicantPending`, `applicantOnHold`, `applicantAwaitingUser`, `applicantReset` or `applicantReviewed`',
    }),
    reviewStatus: Type.String({ maxLength: 64, description: 'E.g. `completed`' }),
    reviewResult: Type.Optional(
      Type.Object(
        {
          reviewAnswer: Type.String({ description: '`GREEN` or `RED`' }),
          reviewRejectType: Type.Optional(
            Type.String({ description: '`FINAL`, or `RETRY` when the person may try again' }),
          ),
          rejectLabels: Type.Optional(
            Type.Array(Type.String({ maxLength: 256 }), { maxItems: 100 }),
          ),
          moderationComment: Type.Optional(Type.String({ maxLength: 4000 })),
          clientComment: Type.Optional(Type.String({ maxLength: 4000 })),
        },
        { description: 'Required when the review is completed' },
      ),
    ),
    createdAt: Type.String({ description: 'The time of the event; UTC without an offset' }),
    documents: Type.Optional(
      Type.Array(reviewedDocument, {
        maxItems: 100,
        description: 'The result for each document of the inspection',
      }),
    ),
  },
  { title: 'KycCallback' },
);

/** The KYC provider, which reports verifications of people. */
export const kycProvider: CallbackProvider = {
  name: 'kyc',
  schema: kycPayload,
  problemOf: (exact) =>
    firstOf([resultProblem(exact), timeProblem('createdAt', member(exact, 'createdAt'))]),
  keyOf: () => undefined,
  effect: 'rowgate_webhooks.apply_kyc',
  messagesAbout: () => [],
};

function resultProblem(exact: unknown): string | undefined {
  if (member(exact, 'reviewResult') !== undefined) return undefined;
  const isReviewed =
    member(exact, 'type') === 'applicantReviewed' || member(exact, 'reviewStatus') === 'completed';
  return isReviewed ? 'reviewResult is missing' : undefined;
}
