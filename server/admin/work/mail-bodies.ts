import { Type } from 'typebox';
import { body } from '../bodies.ts';
import { id } from './event-bodies.ts';

const states = ['waiting', 'sent', 'failed'] as const;
const state = Type.Enum(states);

export const mailsBody = body('MailsToShow', {
  state: Type.Optional(state),
  before: Type.Optional(id('The mail after which the page begins; absent: the newest mails')),
});

export const mailBody = body('MailToShow', { id: id('The mail') });

const text = Type.Union([Type.String(), Type.Null()]);

const listed = {
  id: Type.String(),
  key: Type.String({ description: 'Identifies the message' }),
  recipient: Type.String(),
  subject: Type.String(),
  state,
  attempts: Type.Integer(),
  lastError: text,
  createdAt: Type.String(),
  sentAt: text,
};

export const mailCountsAnswer = Type.Object(
  {
    hasMails: Type.Boolean({ description: 'Whether the database has an outbox of mails' }),
    waiting: Type.Integer(),
    failed: Type.Integer(),
  },
  { title: 'MailCounts' },
);

export const mailsAnswer = Type.Object(
  {
    mails: Type.Array(Type.Object(listed), { description: 'The newest first' }),
    next: Type.Optional(Type.String({ description: 'The value of `before` for the next page' })),
  },
  { title: 'Mails' },
);

export const mailAnswer = Type.Object(
  { ...listed, text: Type.String(), messageId: Type.String() },
  { title: 'Mail' },
);

export const queuedAnswer = Type.Object({ isQueued: Type.Boolean() }, { title: 'QueuedMail' });
