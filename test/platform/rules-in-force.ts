export type Variables = Readonly<Record<string, string>>;

export const alder = '00000000-0000-4000-8000-000000000001';
export const birch = '00000000-0000-4000-8000-000000000002';
export const ofAlder = { organization_id: alder, user_id: 'local|alder-admin' };
export const growth = '40000000-0000-4000-8000-000000000001';
export const income = '40000000-0000-4000-8000-000000000002';
export const ofCleo = { user_id: 'local|alder-investor', allowed_funds: `{${growth},${income}}` };

/** A rule of the platform, written by hand. The tests compare the compiled metadata with this rule. */
export interface Rule {
  readonly role: string;
  readonly table: string;
  readonly variables: Variables;
  /** The SQL condition with which the owner selects the rows that the role must see. */
  readonly where: string;
  readonly columns: readonly string[] | '*';
}

export const wallet = ['id', 'label', 'coin', 'wallet_type', 'usd_value'];
export const invoice = [
  'id',
  'organization_id',
  'invoice_number',
  'total',
  'currency',
  'status',
  'issued_on',
  'due_on',
  'paid_at',
];

export const inForce: readonly Rule[] = [
  {
    role: 'organization_admin',
    table: 'digital_wallet',
    variables: { organization_id: alder },
    where: `organization_id = '${alder}'`,
    columns: [...wallet, 'created_at'],
  },
  {
    role: 'investor',
    table: 'fund_subscription',
    variables: ofCleo,
    where: `user_id = 'local|alder-investor' and fund_id in ('${growth}', '${income}')`,
    columns: ['id', 'fund_id', 'subscription_amount', 'status', 'created_at'],
  },
  { role: 'accounting', table: 'invoice', variables: {}, where: 'true', columns: '*' },
  {
    role: 'front_office',
    table: 'digital_wallet',
    variables: {},
    where: 'true',
    columns: [...wallet, 'status'],
  },
  { role: 'front_office', table: 'otc_quote', variables: {}, where: 'true', columns: '*' },
  {
    role: 'auditor',
    table: 'invoice',
    variables: {},
    where: 'true',
    columns: [...invoice, 'internal_notes', 'updated_at'],
  },
  {
    role: 'organization_admin',
    table: 'invoice',
    variables: { organization_id: alder },
    where: `organization_id = '${alder}'`,
    columns: invoice,
  },
];
