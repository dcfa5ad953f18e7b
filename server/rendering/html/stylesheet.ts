/**
 * The style sheet of all documents and brands. The Content-Security-Policy contains its hash. Each text has its own writing
 * direction, but the alignment of columns and facts follows the document's direction.
 */
const rules = `
:root { color-scheme: light; --ink: #1b1f23; --soft: #59616a; --line: #d5dade; --faint: #f4f6f7 }
html[dir=ltr] { --start: left; --end: right }
html[dir=rtl] { --start: right; --end: left }
* { box-sizing: border-box }
body { margin: 0; padding: 2rem 1rem; background: #e9ecef; color: var(--ink);
  font: 0.9375rem/1.5 system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, "Noto Sans", sans-serif;
  font-variant-numeric: tabular-nums; overflow-wrap: anywhere; -webkit-text-size-adjust: 100% }
.sheet { max-width: 54rem; margin: 0 auto; background: #fff; border-radius: 6px;
  box-shadow: 0 1px 2px #0000001f, 0 8px 24px #00000014 }
.band { display: block; border-radius: 6px 6px 0 0 }
header, main, footer { padding-inline: 3.5rem }
header { display: flex; flex-wrap: wrap; justify-content: space-between; align-items: flex-start; gap: 1.5rem 3rem;
  padding-block: 2.5rem 0 }
.logo { display: block; max-width: 15rem; max-height: 4rem }
.name { display: flex; align-items: center; gap: 0.75rem; margin: 0; font-size: 1.25rem; font-weight: 600;
  letter-spacing: -0.01em; line-height: 1.25 }
.name svg { flex: none }
address { font-style: normal; min-width: 0 }
address span, footer span { display: block; text-align: var(--start) }
header address { color: var(--soft); font-size: 0.8125rem }
header .logo + address span:first-child { color: var(--ink); font-weight: 600 }
main { padding-block: 2.5rem 3rem }
.top { display: flex; flex-wrap: wrap; align-items: center; gap: 0.5rem 1rem; margin-bottom: 2rem }
h1, h2, h3, .title { text-align: var(--start) }
h1 { margin: 0; font-size: 1.875rem; font-weight: 650; line-height: 1.2; letter-spacing: -0.02em }
h2 { margin: 2.25rem 0 0.75rem; font-size: 1.1875rem; font-weight: 650; line-height: 1.3 }
h3 { margin: 1.5rem 0 0.5rem; font-size: 1rem; font-weight: 650; line-height: 1.4 }
.status { margin: 0; padding: 0.125rem 0.75rem; border: 1px solid; border-radius: 1rem; font-size: 0.8125rem;
  font-weight: 600 }
.neutral { background: #eef1f3; color: #3d4750 }
.good { background: #e3f4e9; color: #14572f }
.warning { background: #fdf1d3; color: #684800 }
.bad { background: #fde7e4; color: #8d1f19 }
.parties { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 14rem), 1fr)); gap: 1.5rem 2rem;
  margin-bottom: 2rem }
.parties section { min-width: 0 }
.label, dt { margin: 0 0 0.125rem; color: var(--soft); font-size: 0.8125rem; font-weight: 500; line-height: 1.5;
  text-align: var(--start) }
.parties span:first-child { font-weight: 600 }
dl { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(100%, 8.5rem), 1fr)); gap: 1rem 1.5rem;
  margin: 0 0 2rem; padding: 1rem 0; border: solid var(--line); border-width: 1px 0 }
dl div { min-width: 0 }
dd { margin: 0; font-weight: 500; text-align: var(--start); white-space: pre-line }
.text { margin: 0 0 1rem; white-space: pre-line }
ol, ul { margin: 0 0 1.25rem; padding-inline-start: 1.5rem }
li { margin-bottom: 0.25rem }
li span { white-space: pre-line }
table { width: 100%; margin: 0 0 2rem; border-collapse: collapse }
caption { padding-bottom: 0.5rem; font-size: 1.0625rem; font-weight: 650; text-align: var(--start) }
th, td { padding: 0.625rem 0.75rem; text-align: var(--start); vertical-align: top; white-space: pre-line;
  overflow-wrap: break-word }
html[dir=ltr] tr > :first-child, html[dir=rtl] tr > :last-child { padding-left: 0 }
html[dir=ltr] tr > :last-child, html[dir=rtl] tr > :first-child { padding-right: 0 }
.n { text-align: var(--end) }
.long, .broken :is(th, td) { overflow-wrap: anywhere }
.tight, .broken { font-size: 0.8125rem }
:is(.tight, .broken) :is(th, td) { padding-inline: 0.375rem }
@media (max-width: 62rem) { header, main, footer { padding-inline: 2rem } }
thead th, thead td { padding-block: 0.5rem; border-bottom: 1.5px solid var(--ink); color: var(--soft);
  font-size: 0.8125rem; font-weight: 600; vertical-align: bottom }
tbody th { font-weight: 500 }
tbody tr + tr > * { border-top: 1px solid var(--line) }
tfoot { display: table-row-group }
tfoot th, tfoot td { padding-block: 0.25rem }
tfoot th { color: var(--soft); font-weight: 400; text-align: var(--end) }
tfoot tr:first-child > * { padding-top: 0.75rem; border-top: 1.5px solid var(--ink) }
tfoot .strong > * { padding-block: 0.5rem; color: var(--ink); font-size: 1.2em; font-weight: 700 }
.notice { margin: 0 0 1.5rem; padding: 0.875rem 1.125rem; border: 1px solid #e6cf8f; border-inline-start-width: 4px;
  border-radius: 4px; background: #fffaeb; color: #54400a }
.notice p { margin: 0 }
.title { font-weight: 650 }
.signatures { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(100%, 16rem), 1fr)); gap: 0 3rem;
  padding: 0; list-style: none }
.signatures li { min-height: 2rem; margin: 4.5rem 0 0; padding-top: 0.375rem; border-top: 1px solid var(--ink) }
footer { padding-block: 1.25rem 1.5rem; border-top: 1px solid var(--line); color: var(--soft); font-size: 0.8125rem }
footer span:first-child { font-weight: 600 }
`;

const dark = `
@media screen and (prefers-color-scheme: dark) {
body { background: #14171a }
}
`;

/** Rows become cards, whose cells show the title of their column. Screen readers get the title from the table's head. */
const narrow = `
@media screen and (max-width: 52rem) {
body { padding: 0 }
.sheet, .band { border-radius: 0 }
.sheet { box-shadow: none }
header, main, footer { padding-inline: max(1.25rem, 50vw - 18rem) }
table { font-size: inherit }
header { padding-top: 1.5rem }
main { padding-block: 2rem }
h1 { font-size: 1.5rem }
table, caption, tbody, tfoot, tr, th, td { display: block }
thead { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%) }
colgroup { display: none }
caption { border-bottom: 1.5px solid var(--ink) }
tbody tr { padding-block: 0.75rem }
tbody tr + tr { border-top: 1px solid var(--line) }
tbody tr + tr > * { border-top: 0 }
html[dir] tr > * { padding: 0 }
tbody th { margin-bottom: 0.25rem; font-weight: 600 }
tbody td, tfoot tr { display: flex; justify-content: space-between; gap: 1.5rem }
tbody td, .n { text-align: var(--end); overflow-wrap: anywhere }
tfoot td { flex: none; max-width: 65% }
html[dir=ltr] tbody td:dir(rtl), html[dir=rtl] tbody td:dir(ltr) { flex-direction: row-reverse }
tbody td:empty { display: none }
tbody td::before { content: attr(data-label); flex: none; max-width: 45%; color: var(--soft); text-align: var(--start) }
tbody td::before { content: attr(data-label) / "" }
tfoot { padding-block: 0.5rem; border-top: 1.5px solid var(--ink) }
tfoot tr { padding-block: 0.25rem }
tfoot tr > *, tfoot tr:first-child > *, tfoot .strong > * { padding-block: 0; border: 0 }
tfoot th { text-align: var(--start) }
}
`;

/** Printing on any paper size. Browsers without support for page counters omit the page number. */
const print = `
@page { margin: 16mm 16mm 18mm; @bottom-right { content: counter(page) " / " counter(pages); color: #59616a;
  font: 8pt system-ui, sans-serif } }
@media print {
:root { font-size: 10.5pt }
body { padding: 0; background: none }
.sheet { max-width: none; border-radius: 0; box-shadow: none }
.band { border-radius: 0 }
header, main, footer { padding-inline: 0 }
header { padding-top: 1.5rem }
main { padding-block: 2rem 1.5rem }
.band, .name, .status, .notice { print-color-adjust: exact; -webkit-print-color-adjust: exact }
thead { display: table-header-group }
tbody th, tbody td { padding-block: 0.4375rem }
tr, dl div, .notice, .parties section, .signatures li, footer { break-inside: avoid }
tfoot { break-inside: avoid; break-before: avoid }
tbody tr:last-child:not(:first-child) { break-before: avoid }
h1, h2, h3, caption, thead, .title { break-after: avoid }
.text, li { orphans: 3; widows: 3 }
}
`;

/** Classes for column widths, in whole per cent. */
const widths = Array.from({ length: 100 }, (_, index) => `.w${index + 1}{width:${index + 1}%}`);

/** The content of the `style` element. */
export const stylesheet: string = compact(`${rules}${dark}${narrow}${print}${widths.join('')}`);

/** Removes the line ends, which only serve readers of this file. */
function compact(css: string): string {
  return css.replace(/\s*\n\s*/g, ' ').trim();
}
