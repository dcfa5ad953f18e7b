import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { createDatabase } from '../../../../support/database.ts';
import { startTestServer } from '../../../../support/http.ts';
import { startMailServer } from '../../../mail/support/smtp.ts';

test('a call of the schedule sends mails to the organizations with overdue invoices', async () => {
  const mail = await startMailServer();
  const database = await createDatabase({ from: 'applied' });
  const server = await startTestServer({
    database,
    rest: true,
    graphql: false,
    worker: true,
    environment: {
      ROWGATE_SMTP_URL: `smtp://127.0.0.1:${mail.port}?tls=off`,
      ROWGATE_MAIL_FROM: 'billing@platform.example',
    },
  });
  const response = await server.fetch('/webhooks/on-invoice-reminder', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', 'x-platform-api-token': 'p'.repeat(40) },
    body: JSON.stringify({ id: randomUUID() }),
  });
  const { reminded } = (await response.json()) as { readonly reminded: number };
  expect(reminded).toBeGreaterThan(1);
  const received = await mail.arrived(reminded);
  const recipients = received.flatMap((one) => one.recipients);
  expect(recipients).toContain('admin@alder.example');
  expect(received.map(({ email }) => email.text).join()).toContain(`${server.url}/open/invoices/`);
  await server.stop();
  await mail.stop();
  await database.drop();
});
