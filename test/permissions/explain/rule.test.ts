import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { runCommand } from '../../support/command-line.ts';
import { shopRules, shopSchema } from '../matrix/schema.ts';
import { type Installation, makeInstallation } from '../support/installation.ts';
import { removeMetadata } from '../support/metadata-files.ts';

let made: Installation;
beforeAll(async () => {
  made = await makeInstallation({ schema: shopSchema, rules: shopRules });
});
afterAll(async () => {
  await made.drop();
  await removeMetadata();
});

async function explain(...args: readonly string[]) {
  const options = ['--metadata', made.metadata];
  const environment = { DATABASE_URL: made.database.ownerUrl, ROWGATE_ROLE_PREFIX: 'p_' };
  const { code, stdout, stderr } = await runCommand(
    ['explain', 'rule', ...args, ...options],
    environment,
  );
  return { code, lines: stdout.replaceAll(made.metadata, '…').trimEnd().split('\n'), stderr };
}

describe('rowgate explain rule', () => {
  test('shows place, words, grant, policy and the trigger that sets presets', async () => {
    const { code, lines } = await explain('owner', 'item', 'update');
    expect(code).toBe(0);
    expect(lines).toEqual([
      '…/tables/item.yaml:6:5',
      'owner may update public.item:',
      '  rows where sold_at is null',
      '  afterwards price is at least 1',
      '  columns price',
      '',
      '-- grant update on public.item (price) to p_owner',
      'grant update ("price") on "public"."item" to "p_owner";',
      '',
      '-- policy rowgate/owner/update on public.item',
      `create policy "rowgate/owner/update" on "public"."item" as permissive for update to "p_owner" using (("item"."sold_at" is null)) with check (("item"."price" operator("pg_catalog".>=) '1'::"pg_catalog"."numeric"));`,
      '',
      '-- trigger !rowgate/preset on public.item',
      expect.stringMatching(/^create trigger "!rowgate\/preset" before insert or update/),
    ]);
  });

  test('shows the view that masks columns of an inheriting role', async () => {
    const { lines } = await explain('both', 'item', 'select');
    expect(lines).toContain('  inherited from clerk, buyer');
    expect(lines.filter((line) => line.startsWith('-- '))).toEqual([
      expect.stringMatching(/^-- view rows_.* of the rows of public\.item for both$/),
      '-- grant select on public.item (id, name) to p_both',
      expect.stringMatching(/^-- grant select on rowgate_api\.rows_.* to p_both$/),
      '-- policy rowgate/both/select on public.item',
    ]);
  });

  test('prints JSON', async () => {
    const { lines } = await explain('owner', 'item', 'delete', '--json');
    expect(JSON.parse(lines.join('\n'))).toMatchObject({
      position: { line: 7 },
      entry: { role: 'owner', rows: "rows where state is 'draft'" },
      objects: [{ label: 'grant delete on public.item to p_owner' }, {}],
    });
  });

  test.each([
    [
      ['clerk', 'item', 'delete'],
      'role clerk has no rule for delete on public.item\n  it has rules for select',
    ],
    [['idle', 'item', 'select'], 'it has no rule on the table'],
    [['clerc', 'item', 'select'], 'did you mean "clerk"?'],
  ])('refuses %j with the reason', async (args, reason) => {
    const { code, stderr } = await explain(...args);
    expect(code).toBe(2);
    expect(stderr).toContain(reason);
  });
});
