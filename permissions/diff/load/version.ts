import type { CatalogData } from '../../catalog/types.ts';
import type { Position } from '../../diagnostics.ts';
import { MetadataError } from '../../errors.ts';
import { readSettings } from '../../metadata/read-settings.ts';
import type { RawSettings } from '../../metadata/schemas/settings.ts';
import { resolveOffline } from '../../model/load-model.ts';
import type { Model } from '../../types/model.ts';
import type { Place } from '../change.ts';

/** One version of the metadata, resolved against the tables that it belongs to. */
export interface Version {
  /** The name for people, e.g. `HEAD` or `metadata`. */
  readonly label: string;
  readonly model: Model;
  readonly settings: RawSettings | undefined;
  /** Translates a position in the read folder to the place that a person can open. */
  readonly placeOf: (position: Position | undefined) => Place | undefined;
}

/** How the names of roles and headers are made. */
export interface Naming {
  readonly rolePrefix: string | undefined;
  readonly headerPrefix: string;
  readonly inferFunctionPermissions: boolean;
  readonly authenticatedVariables?: readonly string[] | undefined;
}

/** A folder with metadata, the tables it belongs to, and how both are named in messages. */
export interface VersionSource {
  readonly label: string;
  /** The folder to read. */
  readonly folder: string;
  /** The folder in places of changes; for a revision the path within the repository. */
  readonly shownFolder: string;
  readonly catalog: CatalogData;
}

/**
 * Loads one version of the metadata.
 * @throws MetadataError with every mistake, at the places that a person can open
 */
export async function loadVersion(source: VersionSource, naming: Naming): Promise<Version> {
  const { label, folder, shownFolder, catalog } = source;
  const placeOf = (position: Position | undefined): Place | undefined => {
    if (!position) return undefined;
    const { file, inFolder = file, line, column } = position;
    return { file: `${shownFolder}/${inFolder}`, line, column };
  };
  try {
    // Errors must not depend on where a revision was unpacked, so equal prefixes are made from one database name.
    const { model } = await resolveOffline(catalog, { metadata: folder, ...naming });
    return { label, model, settings: await readSettings(folder), placeOf };
  } catch (error) {
    if (!(error instanceof MetadataError)) throw error;
    throw new MetadataError(
      error.diagnostics.map(({ position, ...rest }) => {
        const place = placeOf(position);
        return { ...rest, ...(place && { position: place }) };
      }),
    );
  }
}
