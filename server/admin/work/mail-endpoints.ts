import type pg from 'pg';
import { Refusal } from '../../http/answers/problem.ts';
import type { Endpoint } from '../../http/endpoint/define-endpoint.ts';
import { countMails, findMail, listMails } from '../../mail/outbox.ts';
import { type Retried, retryMail } from '../../mail/retry-mail.ts';
import { type AdminScope, adminEndpoint } from '../admin-endpoint.ts';
import { adminReading } from '../admin-reading.ts';
import {
  mailAnswer,
  mailBody,
  mailCountsAnswer,
  mailsAnswer,
  mailsBody,
  queuedAnswer,
} from './mail-bodies.ts';
import { changeAnswers, changed, exist, missingAnswer, notFound } from './work-errors.ts';

const pageSize = 50;

/** Makes the endpoints about mails. Recipients and subjects are personal, so each look at them is recorded. */
export function makeMailEndpoints(scope: AdminScope): readonly Endpoint[] {
  return [countsEndpoint, listEndpoint, showEndpoint, retryEndpoint].map((make) => make(scope));
}

const hasMails = (client: pg.ClientBase) => exist(client, 'rowgate_mail.outbox');

async function refuseWithoutMails(client: pg.ClientBase): Promise<void> {
  if (await hasMails(client)) return;
  const detail = 'the database has no outbox of mails; the application makes it';
  throw new Refusal({ status: 404, code: 'not-found', detail });
}

function countsEndpoint(scope: AdminScope): Endpoint {
  return adminReading(
    {
      path: '/admin/mails/counts',
      operationId: 'countMails',
      summary: 'count the mails that wait and those that were given up',
      answer: mailCountsAnswer,
      work: async (_query, readings) =>
        readings.run(async (client) => {
          const found = await hasMails(client);
          const counts = found ? await countMails(client) : { waiting: 0, failed: 0 };
          return JSON.stringify({ hasMails: found, ...counts });
        }),
    },
    scope,
  );
}

function listEndpoint(scope: AdminScope): Endpoint {
  return adminEndpoint(
    {
      path: '/admin/mails',
      operationId: 'getMails',
      summary: 'list mails with their recipients, the newest first, 50 at a time',
      body: mailsBody,
      answer: mailsAnswer,
      answers: missingAnswer,
      subject: ({ state = 'all' }) => ({ subject: `${state} mails` }),
      work: async ({ state, before }, { client }) => {
        await refuseWithoutMails(client);
        const found = await listMails(client, state, { limit: pageSize + 1, before });
        const mails = found.slice(0, pageSize);
        return JSON.stringify({
          mails,
          next: found.length > pageSize ? mails.at(-1)?.id : undefined,
        });
      },
    },
    scope,
  );
}

function showEndpoint(scope: AdminScope): Endpoint {
  return adminEndpoint(
    {
      path: '/admin/mails/show',
      operationId: 'showMail',
      summary: 'show a mail with its text',
      body: mailBody,
      answer: mailAnswer,
      answers: missingAnswer,
      subject: ({ id }) => ({ subject: id }),
      work: async ({ id }, { client }) => {
        await refuseWithoutMails(client);
        const mail = await findMail(client, id);
        if (!mail) throw noSuchMail(id);
        const { html: _html, ...shown } = mail;
        return JSON.stringify(shown);
      },
    },
    scope,
  );
}

const refusals: Readonly<Record<Exclude<Retried, 'queued'>, string>> = {
  sent: 'the mail was sent, and is not sent again',
  active: 'a worker is sending the mail; look again in a minute',
};

function retryEndpoint(scope: AdminScope): Endpoint {
  return adminEndpoint(
    {
      path: '/admin/mails/retry',
      operationId: 'retryMail',
      summary: 'send a mail again that was given up, or one that waits at once',
      body: mailBody,
      answer: queuedAnswer,
      answers: changeAnswers,
      changes: true,
      subject: ({ id }) => ({ subject: id }),
      work: async ({ id }, { client }) => {
        await refuseWithoutMails(client);
        const retried = await retryMail(client, scope.ownerUrl(), id);
        if (retried === undefined) throw noSuchMail(id);
        if (retried !== 'queued') throw changed(refusals[retried]);
        return JSON.stringify({ isQueued: true });
      },
    },
    scope,
  );
}

function noSuchMail(id: string): Refusal {
  return notFound(`there is no mail ${id}; sent mails are kept for 30 days`);
}
