import { lstatSync, mkdirSync } from 'node:fs';
import module from 'node:module';
import path from 'node:path';

/**
 * Enables Node's compile cache in `node_modules/.cache/rowgate`, which halves the start time. Node executes the cached code,
 * so the folder is used only when all users with write access to it can also change the program. NODE_COMPILE_CACHE selects
 * another folder; NODE_DISABLE_COMPILE_CACHE=1 disables the cache.
 */
export function enableCompileCache(root) {
  if (process.env.NODE_COMPILE_CACHE !== undefined || process.getuid === undefined) return;
  const packages = packagesAround(root);
  const folder = path.join(packages, '.cache', 'rowgate');
  try {
    const { mode } = statOwn(packages);
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    for (const one of [path.dirname(folder), folder]) {
      if ((statOwn(one).mode & 0o022 & ~mode) !== 0) return;
    }
  } catch {
    // The folder is not writable or belongs to another user, so the program starts without a cache.
    return;
  }
  const { status } = module.enableCompileCache(folder);
  // Worker threads read the folder from the environment.
  if (status === module.constants.compileCacheStatus.ENABLED) {
    process.env.NODE_COMPILE_CACHE = folder;
  }
}

function packagesAround(root) {
  const above = path.dirname(root);
  return path.basename(above) === 'node_modules' ? above : path.join(root, 'node_modules');
}

/** Returns the status of a folder. @throws Error when it is a link or belongs to another user */
function statOwn(folder) {
  const found = lstatSync(folder);
  if (found.isDirectory() && found.uid === process.getuid()) return found;
  throw new Error(`${folder} is not a folder of this user`);
}
