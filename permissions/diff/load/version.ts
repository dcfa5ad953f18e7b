import { join, relative } from 'node:path';
import type { CatalogData } from '../../catalog/types.ts';
import { type Position, Report } from '../../diagnostics.ts';
import { MetadataError } from '../../errors.ts';
import { startOf } from '../../metadata/files/file-failure.ts';
import { type ParsedFiles, readFile } from '../../metadata/read-file.ts';
import { readSettings } from '../../metadata/read-settings.ts';
import { rolesFile } from '../../metadata/schemas/roles.ts';
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
  /** Returns the place of a role in roles.yaml. */
  readonly placeOfRole: (name: string) => Place | undefined;
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
export async function loadVersion(
  source: VersionSource,
  naming: Naming,
  parsed?: ParsedFiles,
): Promise<Version> {
  const { folder, catalog } = source;
  try {
    const { model } = await resolveOffline(catalog, { ...naming, metadata: folder }, parsed);
    return await versionOf(model, source);
  } catch (error) {
    if (!(error instanceof MetadataError)) throw error;
    throw new MetadataError(
      error.diagnostics.map(({ position, ...rest }) => {
        const place = placeIn(source, position);
        return { ...rest, ...(place && { position: place }) };
      }),
    );
  }
}

/** Makes a version from a model that is already loaded. */
export async function versionOf(
  model: Model,
  source: Omit<VersionSource, 'catalog'>,
): Promise<Version> {
  const { label, folder } = source;
  const roles = await readFile(join(folder, 'roles.yaml'), rolesFile, new Report());
  const positions = new Map(roles?.roles.map(({ name, position }) => [name, position]));
  return {
    ...{ label, model, settings: await readSettings(folder) },
    placeOf: (position) => placeIn(source, position),
    placeOfRole: (name) => placeIn(source, positions.get(name)),
  };
}

function placeIn(
  { folder, shownFolder }: Pick<VersionSource, 'folder' | 'shownFolder'>,
  position: Position | undefined,
): Place | undefined {
  if (!position) return undefined;
  const { file, line, column } = position;
  const inFolder = position.inFolder ?? startOf(relative(folder, file)).file;
  return { file: shownFolder === '.' ? inFolder : `${shownFolder}/${inFolder}`, line, column };
}
