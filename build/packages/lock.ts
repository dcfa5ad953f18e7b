import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { Manifest } from './manifest.ts';

/** A package in a lock file. */
export interface LockedPackage {
  readonly version?: string;
  readonly license?: string;
  readonly dev?: boolean;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
}

/** The packages of a lock file by folder, such as `node_modules/pg`; the product itself stands under ''. */
export type LockedPackages = Readonly<Record<string, LockedPackage>>;

/** Returns the part of the checkout's lock file that a product needs: its direct and indirect dependencies. */
export function lockedFor(root: string, manifest: Manifest): LockedPackages {
  const text = readFileSync(path.join(root, 'package-lock.json'), 'utf8');
  const { packages } = JSON.parse(text) as { readonly packages: LockedPackages };
  const found = new Map<string, LockedPackage>([['', { ...manifest }]]);
  addDependencies(packages, '', manifest, found);
  return Object.fromEntries(found);
}

function addDependencies(
  packages: LockedPackages,
  folder: string,
  { dependencies, optionalDependencies, peerDependencies }: LockedPackage,
  found: Map<string, LockedPackage>,
): void {
  const names = Object.keys({ ...dependencies, ...optionalDependencies, ...peerDependencies });
  for (const target of names.map((name) => resolve(packages, folder, name))) {
    const locked = packages[target];
    // A dependency without an entry in the lock file is an optional peer or a package for another platform. Neither is
    // installed.
    if (!locked || found.has(target)) continue;
    // The checkout needs a bundled package only for building, but the product contains it.
    found.set(target, { ...locked, dev: false });
    addDependencies(packages, target, locked, found);
  }
}

/** Finds a dependency as Node does: in the folder of the package, then in the folders around it. */
function resolve(packages: LockedPackages, folder: string, name: string): string {
  const own = path.posix.join(folder, 'node_modules', name);
  if (own in packages || folder === '') return own;
  return resolve(
    packages,
    folder.slice(0, folder.lastIndexOf('node_modules/')).replace(/\/$/, ''),
    name,
  );
}
