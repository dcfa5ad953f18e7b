/**
 * Returns the anchor that GitHub gives to a heading, so that a link leads to the same place on GitHub and on the site.
 */
export function slugify(heading: string): string {
  return heading
    .trim()
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\p{M}\p{Pc} -]/gu, '')
    .replaceAll(' ', '-');
}
