import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { LockedPackage, LockedPackages } from './lock.ts';

/** The files in which packages state their licences and notices. */
const licenseFile = /^(licen[cs]e|notice|copying|copyright|ofl)/i;

/**
 * Returns a text with the licences of all packages that a product needs, including the fonts. Licences require that
 * they are distributed with the product.
 */
export function thirdPartyNotices(root: string, packages: LockedPackages): string {
  const notices = Object.entries(packages)
    .filter(([folder]) => folder !== '')
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([folder, locked]) => noticeOf(root, folder, locked));
  return `${['# Third-party notices', ...notices].join('\n\n')}\n`;
}

function noticeOf(root: string, folder: string, { version, license }: LockedPackage): string {
  const name = folder.slice(folder.lastIndexOf('node_modules/') + 'node_modules/'.length);
  const title = `## ${name} ${version}\n\nLicence: ${license ?? 'see the text below'}`;
  return [title, ...licenseTexts(path.join(root, folder))].join('\n\n');
}

/**
 * Returns the texts of the licence files in a package's folder. The list is empty for packages of other platforms,
 * which are not installed here.
 */
function licenseTexts(folder: string): readonly string[] {
  const names = fileNames(folder).filter((name) => licenseFile.test(name));
  return names.map((name) => readFileSync(path.join(folder, name), 'utf8').trim());
}

function fileNames(folder: string): readonly string[] {
  try {
    const entries = readdirSync(folder, { withFileTypes: true });
    return entries.filter((entry) => entry.isFile()).map(({ name }) => name);
  } catch {
    return [];
  }
}
