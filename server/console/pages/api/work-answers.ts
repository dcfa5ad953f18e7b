import type { Static } from 'typebox';
import type {
  countAnswer,
  eventAnswer,
  eventsAnswer,
  ratesAnswer,
  triggersAnswer,
} from '../../../admin/work/event-bodies.ts';
import type { mailAnswer, mailCountsAnswer, mailsAnswer } from '../../../admin/work/mail-bodies.ts';
import type { runsAnswer, schedulesAnswer } from '../../../admin/work/schedule-bodies.ts';

export type Triggers = Static<typeof triggersAnswer>;
export type Trigger = Triggers['triggers'][number];
export type Events = Static<typeof eventsAnswer>;
export type ListedEvent = Events['events'][number];
export type EventCount = Static<typeof countAnswer>;
export type EventRates = Static<typeof ratesAnswer>;
export type Event = Static<typeof eventAnswer>;
export type Schedules = Static<typeof schedulesAnswer>;
export type Schedule = Schedules['schedules'][number];
export type Runs = Static<typeof runsAnswer>;
export type Run = Runs['runs'][number];
export type MailCounts = Static<typeof mailCountsAnswer>;
export type Mails = Static<typeof mailsAnswer>;
export type ListedMail = Mails['mails'][number];
export type Mail = Static<typeof mailAnswer>;
