import { createRequire } from 'node:module';
import { ProcessError } from './errors.ts';

/**
 * Returns the path of a file in a package that an installation may omit.
 * @param file begins with the name of the package, e.g. `dejavu-fonts-ttf/ttf/DejaVuSans.ttf`
 * @param purpose the feature that needs the package, e.g. `PDFs`
 * @throws ProcessError RG_PACKAGE_MISSING
 */
export function optionalFile(file: string, purpose: string): string {
  try {
    return createRequire(import.meta.url).resolve(file);
  } catch (cause) {
    const [name] = file.split('/');
    throw new ProcessError('RG_PACKAGE_MISSING', `${purpose} need the package ${name}`, {
      hint: `npm install ${name}, or install without --omit=optional`,
      exitCode: 2,
      cause,
    });
  }
}
