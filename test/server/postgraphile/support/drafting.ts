import path from 'node:path';
import { type Gateway, type GatewayOptions, startGateway } from '../../graphql/support/gateway.ts';
import { shopMetadata, shopSchema } from './shop.ts';

const preset = path.join(import.meta.dirname, 'drafting-preset.ts');

/** Returns the metadata of the shop with a preset, and the given text of graphile.yaml. */
export function draftingMetadata(graphile: string): Readonly<Record<string, string>> {
  return {
    ...shopMetadata,
    'graphile.config.ts': `export { draftingPreset as default } from '${preset}';\n`,
    'graphile.yaml': `config: ./graphile.config.ts\n${graphile}`,
  };
}

/** The lines of graphile.yaml that make the plugin's root fields available to roles, shared by many tests. */
export const openDrafting = `
fields:
  draftInvoice: { roles: [clerk], v1: true }
  failSafely: { roles: [clerk], v1: true }
  failOddly: { roles: [clerk], v1: true }
  digests: { roles: [clerk, analyst, contact, logger, keyless], v1: true }
  seen: { roles: [clerk, loose], v1: true }
  waits: { roles: [clerk], v1: true }
  idles: { roles: [clerk], v1: true }
  sneaks: { roles: [clerk], v1: true }
  sneaksAndGoesOn: { roles: [clerk], v1: true }
  largeText: { roles: [clerk], v1: true }
  whoAmI: { roles: [analyst] }
relationships:
  - { type: DraftedInvoice, name: invoice, table: invoice, columns: { rowId: id } }
  - { type: Digest, name: customer, table: customer, columns: { customerId: id } }
  - { type: Digest, name: invoices, table: invoice, columns: { customerId: customer_id }, kind: array }
  - { type: DigestPart, name: customer, table: customer, columns: { customerId: id } }
`;

const draftingSchema = `${shopSchema}
create function public.become_tenant_two() returns void language sql
  as $$ select pg_catalog.set_config('gql.tenant_id', '2', true) $$;
`;

export function startDrafting(
  options: GatewayOptions = {},
  graphile = openDrafting,
): Promise<Gateway> {
  return startGateway({
    ...{ schema: draftingSchema, metadata: draftingMetadata(graphile) },
    ...options,
  });
}
