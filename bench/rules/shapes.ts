/** A rule, and the condition that a person would write into the query instead. */
interface Shape {
  /** The filter of the rule, as YAML. */
  readonly filter: string;
  /** SQL on the row `i`. $1 is the user, $2 the organization and $3 the list of organizations. */
  readonly byHand: string;
}

const own = 'organization_id: { _eq: X-Gql-Org-Id }';
const members = 'members: { user_id: { _eq: X-Gql-User-Id } }';
const memberOf = '(select m.organization_id from member m where m.user_id = $1)';

/** Shapes of rules by the name of the role that has the rule. */
export const shapes: Readonly<Record<string, Shape>> = {
  own_organization: { filter: `{ ${own} }`, byHand: 'i.organization_id = $2' },
  array_variable: {
    filter: '{ organization_id: { _in: X-Gql-Org-Ids } }',
    byHand: 'i.organization_id = any ($3)',
  },
  one_of_two: {
    filter: `{ _or: [{ ${own} }, { owner_id: { _eq: X-Gql-User-Id } }] }`,
    byHand: '(i.organization_id = $2 or i.owner_id = $1)',
  },
  one_of_two_related: {
    filter: `{ _or: [{ owner_id: { _eq: X-Gql-User-Id } }, { organization: { ${members} } }] }`,
    byHand: `(i.owner_id = $1 or i.organization_id in ${memberOf})`,
  },
  exists: {
    filter: '{ _exists: { _table: member, _where: { user_id: { _eq: X-Gql-User-Id } } } }',
    byHand: 'exists (select from member m where m.user_id = $1)',
  },
  exists_for_row: {
    filter:
      '{ _exists: { _table: member, _where: { user_id: { _eq: X-Gql-User-Id }, organization_id: { _ceq: ["$", organization_id] } } } }',
    byHand:
      'exists (select from member m where m.user_id = $1 and m.organization_id = i.organization_id)',
  },
  depth_1: {
    filter: '{ fund: { manager_id: { _eq: X-Gql-User-Id } } }',
    byHand: 'i.fund_id in (select f.id from fund f where f.manager_id = $1)',
  },
  depth_2: {
    filter: `{ organization: { ${members} } }`,
    byHand: `i.organization_id in ${memberOf}`,
  },
  depth_3: {
    filter: `{ fund: { organization: { ${members} } } }`,
    byHand:
      'i.fund_id in (select f.id from fund f join member m on m.organization_id = f.organization_id where m.user_id = $1)',
  },
  not_related: {
    filter: '{ _not: { fund: { manager_id: { _eq: X-Gql-User-Id } } } }',
    byHand: 'not exists (select from fund f where f.id = i.fund_id and f.manager_id = $1)',
  },
  soft_delete: {
    filter: `{ ${own}, deleted_at: { _is_null: true } }`,
    byHand: 'i.organization_id = $2 and i.deleted_at is null',
  },
  soft_delete_related: {
    filter: `{ organization: { ${members} }, deleted_at: { _is_null: true } }`,
    byHand: `i.organization_id in ${memberOf} and i.deleted_at is null`,
  },
};

/** The role whose columns are masked: it inherits from two roles that show different columns. */
const masked = 'masked';

export const roles: readonly string[] = [...Object.keys(shapes), masked];

/** Returns the files of the metadata, by path. */
export function metadataOf(): Readonly<Record<string, string>> {
  const rule = (role: string, filter: string, columns = "'*'") =>
    `  ${role}: { select: { filter: ${filter}, columns: ${columns}, allow_aggregations: true } }\n`;
  const rules = Object.entries(shapes).map(([role, { filter }]) => rule(role, filter));
  const halves =
    rule('half_a', `{ ${own} }`, '[id, organization_id, status, created_at]') +
    rule(
      'half_b',
      '{ owner_id: { _eq: X-Gql-User-Id } }',
      '[id, organization_id, amount, created_at]',
    );
  const names = [...Object.keys(shapes), 'half_a', 'half_b'].map((name) => `  ${name}: {}\n`);
  return {
    'roles.yaml': `roles:\n${names.join('')}  ${masked}: { inherits: [half_a, half_b] }\n`,
    'tables/invoice.yaml': `table: invoice\npermissions:\n${rules.join('')}${halves}`,
    'tables/fund.yaml': 'table: fund\n',
    'tables/member.yaml': 'table: member\n',
    'tables/organization.yaml': 'table: organization\n',
  };
}

/** The relations from which a role reads invoices, and the condition that the gateway adds to lists. */
export interface Source {
  readonly rows: string;
  readonly byKey: string;
  readonly columns: string;
  readonly condition: string;
}

/** Returns the source of a query by hand. */
export function byHand(role: string): Source {
  const shape = shapes[role] ?? shapes.one_of_two;
  const maskedColumns =
    'i.id, case when i.organization_id = $2 then i.status end as status, case when i.owner_id = $1 then i.amount end as amount, i.created_at';
  return {
    rows: 'public.invoice',
    byKey: 'public.invoice',
    columns: shapes[role] ? columns : maskedColumns,
    condition: shape?.byHand ?? 'true',
  };
}

export const columns = 'i.id, i.status, i.amount, i.created_at';

/** Statements like those that the gateway compiles. $4 is a key. */
export const uses: Readonly<Record<string, (source: Source) => string>> = {
  list: ({ rows, columns: shown, condition }) =>
    `select json_agg(x) from (select ${shown} from ${rows} i where ${condition} order by i.created_at desc, i.id limit 50) x`,
  count: ({ rows, condition }) => `select count(*) from ${rows} i where ${condition}`,
  'by key': ({ byKey, columns: shown, condition, rows }) =>
    `select to_json(x) from (select ${shown} from ${byKey} i where i.id = $4 and ${byKey === rows ? condition : 'true'}) x`,
  nested: ({ rows, columns: shown, condition }) =>
    `select json_agg(x) from (select o.id, (select json_agg(y) from (select ${shown} from ${rows} i where i.organization_id = o.id and ${condition}
      order by i.created_at desc, i.id limit 5) y) from unnest(array[5, 78, 79, 501, 502, 503, 504, 505, 900, 1500]) as o(id)) x`,
};
