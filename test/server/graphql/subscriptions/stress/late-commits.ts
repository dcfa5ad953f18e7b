import type { TestDatabase } from '../../../../support/database.ts';
import { lateRows, organizations } from './callers.ts';

/**
 * Begins transactions that commit after later ones: nothing but their changes makes an answer right afterwards. Each
 * moves rows from odd organizations to the next even ones, with a statement for each row. Returns their commits.
 */
export async function beginLate(database: TestDatabase): Promise<readonly (() => Promise<void>)[]> {
  const commits: (() => Promise<void>)[] = [];
  for (let first = lateRows.first; first <= lateRows.last; first += organizations) {
    const client = await database.connectOwner();
    await client.query('begin');
    for (let org = 1; org <= organizations; org += 2)
      await client.query('update item set org = org + 1 where id = $1', [first + org - 1]);
    commits.push(async () => void (await client.query('commit')));
  }
  return commits;
}
