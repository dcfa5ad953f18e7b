import { stringify } from 'yaml';
import { resolveModel } from '../../../../permissions/model/load-model.ts';
import type { Model } from '../../../../permissions/types/model.ts';
import { type Installation, makeInstallation } from '../../support/installation.ts';

/** Libraries, their members, and loans of members. */
const schema = `
create collation public.ignoring_case (provider = icu, locale = 'und-u-ks-level2', deterministic = false);
create type public.grade as enum ('junior', 'senior', 'chief');
create table public.library (
  id int4 primary key, name text not null, is_open bool not null, parent_id int4 references public.library,
  grade public.grade not null
);
create table public.member (
  id int4 primary key, library_id int4 not null references public.library, mail public.citext not null,
  points int4, is_active bool, nickname text, guarantor_id int4 references public.member
);
create table public.loan (
  id uuid primary key, library_id int4 not null references public.library,
  member_id int4 references public.member, lent_by int4, checked_by int4, status text not null,
  note text, fee numeric, days int4, copies int8 not null, grade public.grade, is_lost bool,
  code varchar(20), due date, lent_at timestamptz not null, local_at timestamp, weight float8,
  label text collate public.ignoring_case, details jsonb, tags text[], opened text not null generated always as ('x') stored
);
create function public.rank(one public.loan) returns int4 language sql stable as 'select 1';
create function public.copies_of(one public.loan) returns setof public.loan language sql stable
  as 'select * from public.loan where id = one.id';`;

/** A filter of the old version and one of the new version, both on the table. */
export interface RulePair {
  readonly table: string;
  readonly before: object;
  readonly after: object;
}

/** Resolves pairs of rules in one model. The roles before0 and after0 have the rules of the first pair, and so on. */
export async function openLibrary(
  pairs: readonly RulePair[],
): Promise<{ readonly library: Installation; readonly model: Model }> {
  const library = await makeInstallation({ schema, rules: filesOf(pairs) });
  const { model } = await resolveModel({
    client: library.owner,
    metadata: library.metadata,
    headerPrefix: 'X-Gql-',
    rolePrefix: library.prefix,
  });
  return { library, model };
}

const computedFields = {
  rank: { function: 'rank' },
  same_copies: { function: 'copies_of' },
};

function filesOf(pairs: readonly RulePair[]): Readonly<Record<string, string>> {
  const roles = pairs.flatMap((_, index) => [`before${index}`, `after${index}`]);
  const tables = ['library', 'member', 'loan'].map((table) => {
    const rules = pairs.flatMap((pair, index) =>
      pair.table === table
        ? [
            [`before${index}`, { select: { filter: pair.before, columns: ['id'] } }],
            [`after${index}`, { select: { filter: pair.after, columns: ['id'] } }],
          ]
        : [],
    );
    const content = {
      table,
      ...(table === 'loan' && { computed_fields: computedFields }),
      permissions: Object.fromEntries(rules),
    };
    return [`tables/${table}.yaml`, stringify(content, { aliasDuplicateObjects: false })];
  });
  return {
    ...Object.fromEntries(tables),
    'roles.yaml': stringify({ roles: Object.fromEntries(roles.map((role) => [role, {}])) }),
  };
}

/** Returns the rules of a pair, as the engine takes them. */
export function rulesOf(model: Model, table: string, index: number) {
  const ruleOf = (role: string) => {
    const key = `public.${table}`;
    const expression = model.roles.get(role)?.tables.get(key)?.select?.filter;
    return { table: key, expression };
  };
  return { before: ruleOf(`before${index}`), after: ruleOf(`after${index}`) };
}
