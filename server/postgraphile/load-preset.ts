import { stat } from 'node:fs/promises';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { type GraphileModel, MetadataError } from '../../permissions/index.ts';
import { stockPreset, takeUserPreset, type UserPreset } from './user-preset.ts';

/**
 * Loads the preset that graphile.yaml names; Node strips its types. An edited file is loaded anew, but not what it
 * imports: that takes a restart.
 * @throws MetadataError
 */
export async function loadPreset({ config, position }: GraphileModel): Promise<UserPreset> {
  if (config === undefined) return stockPreset;
  const file = path.resolve(path.dirname(position.file), config);
  try {
    const { mtimeMs } = await stat(file);
    const url = pathToFileURL(file);
    url.search = `edited=${mtimeMs}`;
    const loaded: unknown = await import(/* @vite-ignore */ url.href);
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

function presetOf(loaded: unknown): GraphileConfig.Preset {
  const preset = (loaded as { readonly default?: unknown }).default;
  if (typeof preset === 'object' && preset !== null && !Array.isArray(preset)) return preset;
  throw new Error('it must have a preset as its default export');
}

function firstLine(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  return message.split('\n')[0] ?? '';
}
