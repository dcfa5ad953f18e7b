import { lstatSync, mkdirSync } from 'node:fs';
import module from 'node:module';
import path from 'node:path';

/**
 * Lets Node keep what it makes of the program's modules, which is half of a start, in `.cache/rowgate` of the folder of
 * packages. What lies there is run unseen: it is used only where whoever may write there may change the program, too.
 * NODE_COMPILE_CACHE names another folder, NODE_DISABLE_COMPILE_CACHE=1 does without.
 */
export function keepCompiled(root) {
  if (process.env.NODE_COMPILE_CACHE !== undefined || process.getuid === undefined) return;
  const packages = packagesAround(root);
  const folder = path.join(packages, '.cache', 'rowgate');
  try {
    const { mode } = ofMine(packages);
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    for (const one of [path.dirname(folder), folder]) {
      if ((ofMine(one).mode & 0o022 & ~mode) !== 0) return;
    }
  } catch {
    // A folder that cannot be written, or is somebody else's: the start takes longer.
    return;
  }
  const { status } = module.enableCompileCache(folder);
  // Threads that render documents go by the environment.
  if (status === module.constants.compileCacheStatus.ENABLED) {
    process.env.NODE_COMPILE_CACHE = folder;
  }
}

function packagesAround(root) {
  const above = path.dirname(root);
  return path.basename(above) === 'node_modules' ? above : path.join(root, 'node_modules');
}

function ofMine(folder) {
  const found = lstatSync(folder);
  if (found.isDirectory() && found.uid === process.getuid()) return found;
  throw new Error(`${folder} is not a folder of this user`);
}
