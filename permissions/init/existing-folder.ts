import { readdir } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import type { Catalog } from '../catalog/catalog.ts';
import { Report } from '../diagnostics.ts';
import { MetadataError } from '../errors.ts';
import { findFiles } from '../metadata/files/find-files.ts';
import { decodeMetadata, type RawMetadata } from '../metadata/load-metadata.ts';
import { readRoot } from '../metadata/read-file.ts';
import type { RawNode } from '../metadata/yaml/node.ts';
import { buildModel, type ModelOptions } from '../model/build-model.ts';
import type { Model } from '../types/model.ts';

/** A metadata folder that may be incomplete or not exist yet. */
export interface ExistingFolder {
  /** The parsed files by path within the folder, without the allow-list, which names no tables. */
  readonly roots: ReadonlyMap<string, RawNode>;
  readonly raw: RawMetadata;
  /** May be incomplete, so callers may use only its names. */
  readonly model: Model;
  /** Names of the files in the folder `tables`. */
  readonly tableFiles: readonly string[];
}

/** Reads a folder. @throws MetadataError when its files are not valid */
export async function readExisting(
  directory: string,
  catalog: Catalog,
  options: ModelOptions,
): Promise<ExistingFolder> {
  const report = new Report();
  const roots = await readRoots(directory, report);
  const raw = report.hasErrors ? undefined : await decodeMetadata(roots, report);
  if (!raw || report.hasErrors) throw new MetadataError(report.diagnostics);
  // Only names are needed here. A later check with the new files reports mistakes, which the new files may correct.
  const model = buildModel(raw, catalog, options, new Report());
  return { roots, raw, model, tableFiles: await namesIn(join(directory, 'tables')) };
}

async function readRoots(directory: string, report: Report): Promise<ReadonlyMap<string, RawNode>> {
  const roots = new Map<string, RawNode>();
  // A folder without roles.yaml or tables is incomplete. Init completes the folder, so that is no mistake here.
  const files = await findFiles(directory, new Report());
  if (!files) return roots;
  const { roles, filters, settings, cron, actions, graphile, tables, functions } = files;
  const paths = [roles, filters, settings, cron, actions, graphile, ...tables, ...functions];
  for (const path of paths) {
    const root = path === undefined ? undefined : await readRoot(path, report);
    if (path !== undefined && root) {
      roots.set(relative(directory, path).split(sep).join('/'), root);
    }
  }
  return roots;
}

async function namesIn(folder: string): Promise<readonly string[]> {
  try {
    return await readdir(folder);
  } catch {
    return [];
  }
}
