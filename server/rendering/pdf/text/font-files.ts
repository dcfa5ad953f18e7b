import { optionalFile } from '../../../optional-package.ts';

export type Weight = 'regular' | 'bold';

/**
 * Returns the path of a font.
 * @throws ProcessError RG_PACKAGE_MISSING when the package of the fonts is not installed
 */
export function fontFile(weight: Weight): string {
  const name = weight === 'regular' ? 'DejaVuSans.ttf' : 'DejaVuSans-Bold.ttf';
  return optionalFile(`dejavu-fonts-ttf/ttf/${name}`, 'PDFs');
}
