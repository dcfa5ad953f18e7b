import { stat } from 'node:fs/promises';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { type GraphileModel, MetadataError } from '../../../permissions/index.ts';
import { stockPreset, takeUserPreset, type UserPreset } from './user-preset.ts';

/**
 * Loads the preset that graphile.yaml names; Node strips its types. An edited file is loaded anew, but not what it
 * imports: that takes a restart.
 * @throws MetadataError
 */
export async function loadPreset({ config, position }: GraphileModel): Promise<UserPreset> {
  if (config === undefined) return stockPreset;
  try {
    const file = await builtOf(path.resolve(path.dirname(position.file), config));
    const loaded: unknown = await import(/* @vite-ignore */ await urlOf(file));
    return takeUserPreset(presetOf(loaded));
  } catch (error) {
    throw new MetadataError([
      {
        code: 'RG_GRAPHILE',
        severity: 'error',
        message: `the preset ${config} cannot be loaded: ${firstLine(error)}`,
        position,
      },
    ]);
  }
}

/** The JavaScript beside, where a file of TypeScript is missing: in packages, where Node strips no types. */
async function builtOf(file: string): Promise<string> {
  const built = file.replace(/\.(m?)ts$/, '.$1js');
  const isThere = await stat(file).catch(() => undefined);
  return isThere || !(await stat(built).catch(() => undefined)) ? file : built;
}

/** When each file was edited that this process has loaded. */
const editions = new Map<string, number>();

/** Node loads what an URL names once. */
async function urlOf(file: string): Promise<string> {
  const { mtimeMs } = await stat(file);
  const url = pathToFileURL(file);
  const first = editions.get(file) ?? mtimeMs;
  editions.set(file, first);
  if (mtimeMs !== first) url.hash = `edited=${mtimeMs}`;
  return url.href;
}

function presetOf(loaded: unknown): GraphileConfig.Preset {
  const preset = (loaded as { readonly default?: unknown }).default;
  if (typeof preset === 'object' && preset !== null && !Array.isArray(preset)) return preset;
  throw new Error('it must have a preset as its default export');
}

function firstLine(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  return message.split('\n')[0] ?? '';
}
