import { expect, test } from 'vitest';
import { refuseUnprepared } from '../../../../../server/db/preparation.ts';
import { createDatabase } from '../../../../support/database.ts';

test('a worker does not start on tables of the version before', async () => {
  const database = await createDatabase({ from: 'platform' });
  const owner = await database.connectOwner();
  // The table that came last.
  await owner.query('drop table rowgate_webhooks.linked');
  await expect(refuseUnprepared(owner, new Set(['worker']))).rejects.toMatchObject({
    code: 'RG_NOT_PREPARED',
    message: expect.stringContaining('older than this program'),
  });
  await database.drop();
});
