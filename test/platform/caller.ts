import { alder, birch, type Variables } from './rules-in-force.ts';

const organizations = {
  alder,
  birch,
  cedar: '00000000-0000-4000-8000-000000000003',
  dogwood: '00000000-0000-4000-8000-000000000004',
} as const;

/** Who asks, by the names and numbers that the demo data gives people, organizations and funds. */
export interface DemoCaller {
  /** The person, e.g. `alder-admin`. */
  readonly by?: string;
  readonly organization?: keyof typeof organizations;
  /** Numbers of the allowed funds. */
  readonly funds?: readonly number[];
}

/** The id of an organization of the demo data; anything else as it is. */
export function organizationId(name: string): string {
  return (organizations as Readonly<Record<string, string>>)[name] ?? name;
}

/** The id of a fund of the demo data. */
export function fundId(number: number): string {
  return `40000000-0000-4000-8000-00000000000${number}`;
}

/** The session variables of a caller. */
export function variablesOf({ by, organization, funds }: DemoCaller): Variables {
  return {
    ...(by !== undefined && { user_id: `local|${by}` }),
    ...(organization && { organization_id: organizations[organization] }),
    ...(funds && { allowed_funds: `{${funds.map(fundId).join(',')}}` }),
  };
}

/** What a gateway is told of a role with session variables. */
export function headersOf(role: string, variables: Variables): Readonly<Record<string, string>> {
  const named = Object.entries(variables).map(([name, value]) => [
    `X-Gql-${name.replaceAll('_', '-')}`,
    value,
  ]);
  return { 'X-Gql-Role': role, ...Object.fromEntries(named) };
}
