import { existsSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { slugify } from '../../../docs/.vitepress/slugify.ts';
import { readPage, readPages, root, withoutFences } from '../../support/documentation.ts';

const pages = readPages();
const sections = [
  ...new Set(pages.map(({ file }) => /^docs\/(\w+)\//.exec(file)?.[1] ?? '')),
].filter(Boolean);

/** Returns the anchors of the headings of a page. A repeated heading gets a number at its end, as on GitHub. */
function anchorsOf(file: string): ReadonlySet<string> {
  const anchors = new Set<string>();
  for (const [, heading = ''] of withoutFences(readPage(file).text).matchAll(/^#+ (.+)$/gm)) {
    const plain = slugify(heading.replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1'));
    let anchor = plain;
    for (let count = 1; anchors.has(anchor); count += 1) anchor = `${plain}-${count}`;
    anchors.add(anchor);
  }
  return anchors;
}

function linksOf(text: string): readonly string[] {
  return [...withoutFences(text).matchAll(/\]\(([^)\s]+)\)/g)]
    .map(([, link = '']) => link)
    .filter((link) => !/^[a-z]+:/.test(link));
}

/** Returns the reason why a link leads to no target; undefined for a correct link. */
function faultOf(from: string, link: string): string | undefined {
  const [target = '', anchor] = link.split('#');
  const file = target === '' ? from : path.posix.join(path.posix.dirname(from), target);
  if (!existsSync(path.join(root, file))) return `${from}: no file ${link}`;
  if (anchor === undefined || !file.endsWith('.md')) return undefined;
  return anchorsOf(file).has(anchor) ? undefined : `${from}: no heading ${link}`;
}

test('every relative link of the documentation leads to a file, and every anchor to a heading', () => {
  const links = pages.flatMap(({ file, text }) => linksOf(text).map((link) => [file, link]));
  expect(links.length).toBeGreaterThan(40);
  const faults = links.map(([file = '', link = '']) => faultOf(file, link));
  expect(faults.filter((fault) => fault !== undefined)).toEqual([]);
});

test('faultOf, which checks one link, reports a link to a missing file and a link to a missing heading', () => {
  expect(faultOf('docs/index.md', 'operators/none.md')).toContain('no file');
  expect(faultOf('docs/index.md', '../README.md#none')).toContain('no heading');
  expect(faultOf('docs/index.md', '../README.md#rowgate')).toBeUndefined();
});

test.each(sections)('the index page of docs/%s links every page of that folder', (section) => {
  const index = `docs/${section}/index.md`;
  const listed = linksOf(readPage(index).text).map((link) =>
    path.posix.join(`docs/${section}`, link),
  );
  const others = pages.map(({ file }) => file).filter((file) => file !== index);
  const own = others.filter((file) => file.startsWith(`docs/${section}/`));
  expect(own.filter((file) => !listed.includes(file))).toEqual([]);
});
