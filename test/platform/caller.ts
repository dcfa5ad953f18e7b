import { alder, birch, type Variables } from './rules-in-force.ts';

const organizations = {
  alder,
  birch,
  cedar: '00000000-0000-4000-8000-000000000003',
  dogwood: '00000000-0000-4000-8000-000000000004',
} as const;

/** The caller of a test, by names of people, organizations and funds of the demo data. */
export interface DemoCaller {
  /** The person, e.g. `alder-admin`. */
  readonly by?: string;
  readonly organization?: keyof typeof organizations;
  /** Numbers of the funds that the session variable allows. */
  readonly funds?: readonly number[];
}

/** Returns the id of an organization of the demo data; returns any other text unchanged. */
export function organizationId(name: string): string {
  return (organizations as Readonly<Record<string, string>>)[name] ?? name;
}

/** Returns the id of a fund of the demo data. */
export function fundId(number: number): string {
  return `40000000-0000-4000-8000-00000000000${number}`;
}

/** Returns the session variables of a caller. */
export function variablesOf({ by, organization, funds }: DemoCaller): Variables {
  return {
    ...(by !== undefined && { user_id: `local|${by}` }),
    ...(organization && { organization_id: organizations[organization] }),
    ...(funds && { allowed_funds: `{${funds.map(fundId).join(',')}}` }),
  };
}

/** Returns the headers with the role and the session variables for a gateway. */
export function headersOf(role: string, variables: Variables): Readonly<Record<string, string>> {
  const named = Object.entries(variables).map(([name, value]) => [
    `X-Gql-${name.replaceAll('_', '-')}`,
    value,
  ]);
  return { 'X-Gql-Role': role, ...Object.fromEntries(named) };
}
