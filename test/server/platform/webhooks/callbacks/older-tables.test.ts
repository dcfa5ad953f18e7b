import { expect, test } from 'vitest';
import { refuseWithoutApplication } from '../../../../../server/db/preparation.ts';
import { platform } from '../../../../../server/platform/open-platform.ts';
import { createDatabase } from '../../../../support/database.ts';

test("a worker does not start when the platform's tables are of the previous version", async () => {
  const database = await createDatabase({ from: 'platform' });
  const owner = await database.connectOwner();
  // This is the newest table of the platform, which the previous version did not have.
  await owner.query('drop table rowgate_webhooks.linked');
  await expect(refuseWithoutApplication(owner, platform)).rejects.toMatchObject({
    code: 'RG_NOT_PREPARED',
    message: expect.stringContaining('older than this program'),
  });
  await database.drop();
});
