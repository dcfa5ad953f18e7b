import type { Format } from '../../../rendering/format.ts';
import type { Party } from '../../../rendering/model.ts';
import { languageOf } from '../../document-language.ts';
import type { Row, Rows } from '../read/row-reader.ts';
import type { ModificationTimes } from './modification-times.ts';
import { textOf } from './printed.ts';

/** Finds an organization, with the columns that the reader may see. */
export async function findOrganization(
  rows: Rows,
  id: string | undefined,
  times: ModificationTimes,
): Promise<Row | undefined> {
  if (id === undefined) return undefined;
  return times.add(await rows.select({ table: 'organization', where: { id }, limit: 1 }))?.[0];
}

/**
 * Finds a person, with the columns that the reader may see.
 * @param organizationId limits the search to one organization; absent: all people that the rules show
 */
export async function findPerson(
  rows: Rows,
  id: string | undefined,
  times: ModificationTimes,
  organizationId?: string,
): Promise<Row | undefined> {
  if (id === undefined) return undefined;
  const where = { id, ...(organizationId !== undefined && { organization_id: organizationId }) };
  return times.add(await rows.select({ table: 'user', where, limit: 1 }))?.[0];
}

/** Makes a party with the visible name, address, country and tax number; undefined when all of these are hidden. */
export function organizationParty(
  label: string,
  organization: Row | undefined,
  format: Format,
): readonly Party[] {
  const address = (textOf(organization, 'billing_address') ?? '').split(/\r?\n/);
  const country = countryName(textOf(organization, 'country'), format);
  const taxNumber = textOf(organization, 'tax_number');
  const lines = [
    textOf(organization, 'name') ?? '',
    ...address.map((line) => line.trim()),
    country !== undefined && address.some((line) => line.trim().endsWith(country))
      ? ''
      : (country ?? ''),
    taxNumber === undefined ? '' : `Tax number ${taxNumber}`,
  ].filter((line) => line !== '');
  return lines.length > 0 ? [{ label, lines }] : [];
}

/** Returns the format with the time zone of the organization, or UTC when the reader may not see it. */
export function formatOf(organization: Row | undefined, format: Format): Format {
  return format.inZone(textOf(organization, 'time_zone'));
}

/** Makes a party with the visible name and e-mail address. */
export function personParty(label: string, person: Row | undefined): readonly Party[] {
  const lines = [textOf(person, 'full_name'), textOf(person, 'email')].filter(
    (line) => line !== undefined,
  );
  return lines.length > 0 ? [{ label, lines }] : [];
}

function countryName(code: string | undefined, format: Format): string | undefined {
  if (code === undefined) return undefined;
  return new Intl.DisplayNames(languageOf(format), { type: 'region' }).of(code);
}
