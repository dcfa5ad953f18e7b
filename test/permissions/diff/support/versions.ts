import type { CatalogData } from '../../../../permissions/catalog/types.ts';
import { loadVersion, type Version } from '../../../../permissions/diff/load/version.ts';
import { type MetadataFiles, writeMetadata } from '../../support/metadata-files.ts';

export const naming = { rolePrefix: 't_', headerPrefix: 'X-Gql-', inferFunctionPermissions: false };

/** Loads the rules of a metadata folder for the tables of a catalog. */
export function versionIn(folder: string, catalog: CatalogData): Promise<Version> {
  return loadVersion({ label: 'version', folder, shownFolder: 'metadata', catalog }, naming);
}

/** Loads rules from the contents of metadata files. `removeMetadata` must be called in afterAll. */
export async function versionOf(files: MetadataFiles, catalog: CatalogData): Promise<Version> {
  return versionIn(await writeMetadata(files), catalog);
}
