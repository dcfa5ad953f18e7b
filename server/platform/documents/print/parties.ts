import type { Format } from '../../../rendering/format.ts';
import type { Party } from '../../../rendering/model.ts';
import type { Row, Rows } from '../read/reader.ts';
import { cellOf, languageOf } from './printed.ts';
import type { Times } from './times.ts';

/** An organization as far as the reader sees it. */
export async function findOrganization(
  rows: Rows,
  id: string | undefined,
  times: Times,
): Promise<Row | undefined> {
  if (id === undefined) return undefined;
  return times.note(await rows.select({ table: 'organization', where: { id }, limit: 1 }))?.[0];
}

/**
 * A person as far as the reader sees the person.
 * @param organizationId the only organization whose people there are; absent: all that the rules show
 */
export async function findPerson(
  rows: Rows,
  id: string | undefined,
  times: Times,
  organizationId?: string,
): Promise<Row | undefined> {
  if (id === undefined) return undefined;
  const where = { id, ...(organizationId !== undefined && { organization_id: organizationId }) };
  return times.note(await rows.select({ table: 'user', where, limit: 1 }))?.[0];
}

/** Name, address, country and tax number, as far as they are seen; none where there is nothing to say. */
export function organizationParty(
  label: string,
  organization: Row | undefined,
  format: Format,
): readonly Party[] {
  const address = (cellOf(organization, 'billing_address') ?? '').split(/\r?\n/);
  const country = countryName(cellOf(organization, 'country'), format);
  const taxNumber = cellOf(organization, 'tax_number');
  const lines = [
    cellOf(organization, 'name') ?? '',
    ...address.map((line) => line.trim()),
    country !== undefined && address.some((line) => line.trim().endsWith(country))
      ? ''
      : (country ?? ''),
    taxNumber === undefined ? '' : `Tax number ${taxNumber}`,
  ].filter((line) => line !== '');
  return lines.length > 0 ? [{ label, lines }] : [];
}

/** Name and e-mail address, as far as they are seen. */
export function personParty(label: string, person: Row | undefined): readonly Party[] {
  const lines = [cellOf(person, 'full_name'), cellOf(person, 'email')].filter(
    (line) => line !== undefined,
  );
  return lines.length > 0 ? [{ label, lines }] : [];
}

function countryName(code: string | undefined, format: Format): string | undefined {
  if (code === undefined) return undefined;
  return new Intl.DisplayNames(languageOf(format), { type: 'region' }).of(code);
}
