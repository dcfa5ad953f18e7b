import { stat } from 'node:fs/promises';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { type GraphileModel, MetadataError } from '../../../permissions/index.ts';
import { stockPreset, takeUserPreset, type UserPreset } from './user-preset.ts';

/**
 * Loads the preset in graphile.yaml; Node strips its types. An edited file is loaded again, but a change of a file that
 * it imports takes effect only after a restart.
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

/** Returns the JavaScript file if the TypeScript file is missing, as in packages, where Node does not strip types. */
async function builtOf(file: string): Promise<string> {
  const built = file.replace(/\.(m?)ts$/, '.$1js');
  const isThere = await stat(file).catch(() => undefined);
  return isThere || !(await stat(built).catch(() => undefined)) ? file : built;
}

/**
 * Modification time of each file when this process first loaded it. A later modification time shows that the file was
 * edited.
 */
const editions = new Map<string, number>();

/** Returns the URL to import. Node loads each URL only once, so an edited file gets another hash. */
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
