import type { Report } from '../diagnostics.ts';
import type { RawNode } from './yaml/node.ts';

/** The version of the metadata format that this program reads. */
export const metadataVersion = 1;

/**
 * Returns whether rowgate.yaml declares a newer version of the format than this program supports, and reports that.
 * Other mistakes are then not reported, because a newer version may have keys that this program does not know.
 */
export function isNewer(settings: RawNode | undefined, report: Report): boolean {
  if (settings?.kind !== 'map') return false;
  const version = settings.entries.find(({ key }) => key === 'version')?.value;
  if (version?.kind !== 'scalar' || typeof version.value !== 'number') return false;
  if (!(version.value > metadataVersion)) return false;
  const message = `the metadata have version ${version.source}, but this program reads version ${metadataVersion}`;
  const hint = 'install a newer rowgate, or go back to metadata of this version';
  report.error('RG_METADATA_VERSION', version.position, message, hint);
  return true;
}
