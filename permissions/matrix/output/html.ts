import { createHash } from 'node:crypto';
import { operations } from '../../types/rules.ts';
import type { Matrix } from '../build-matrix.ts';
import { entryWords } from './entry-words.ts';
import { gridCells, legend } from './grid.ts';
import { pageScript } from './page-script.ts';
import { pageStyle } from './page-style.ts';

/**
 * Formats a matrix as one HTML page with filters and a search. The page loads nothing, and its policy lets only its own
 * script and style run.
 */
export function matrixHtml(matrix: Matrix, title: string): string {
  const policy = `default-src 'none'; script-src '${hash(pageScript)}'; style-src '${hash(pageStyle)}'; base-uri 'none'; form-action 'none'`;
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)}</title>
<style>${pageStyle}</style>
</head>
<body>
<header>
<h1>${escapeHtml(title)}</h1>
<form id="filters" role="search">
<label>Search <input id="text" type="search" placeholder="table, column or words" autocomplete="off"></label>
<label>Role <select id="role"><option value="">all</option></select></label>
<label>Operation <select id="operation"><option value="">all</option>${operations.map((name) => `<option>${name}</option>`).join('')}</select></label>
<label>Who can use the column <input id="column" list="columns" placeholder="table.column" autocomplete="off"></label>
<datalist id="columns"></datalist>
</form>
<p id="legend">${escapeHtml(legend)}</p>
</header>
<main>
<div id="grid" tabindex="0" role="region" aria-label="Permissions by table"></div>
<section id="answer" tabindex="0" aria-label="Rules" aria-live="polite"></section>
</main>
<script type="application/json" id="data">${json(pageData(matrix))}</script>
<script>${pageScript}</script>
</body>
</html>
`;
}

/** The data of the page. Equal texts and lists are stored once, because most rules of a project share theirs. */
function pageData(matrix: Matrix): unknown {
  const stored = new Map<string, string | readonly string[]>();
  const indexes = new Map<string, number>();
  const indexOf = (value: string | readonly string[]): number => {
    const key = JSON.stringify(value);
    const known = indexes.get(key) ?? indexes.size;
    indexes.set(key, known);
    stored.set(key, value);
    return known;
  };
  const tableIndexes = new Map(matrix.tables.map(({ key }, index) => [key, index]));
  const roleIndexes = new Map(matrix.roles.map(({ name }, index) => [name, index]));
  const cellOf = gridCells(matrix);
  const entries = matrix.entries.map((entry) => [
    tableIndexes.get(entry.table),
    roleIndexes.get(entry.role),
    operations.indexOf(entry.operation),
    indexOf(entryWords(entry)),
    indexOf(entry.columns.map(({ name }) => name)),
    indexOf(entry.columns.map(({ rows }) => rows ?? entry.rows)),
  ]);
  const cells = matrix.tables.map(({ key }) =>
    matrix.roles.map(({ name }) => indexOf(cellOf(key, name))),
  );
  return { ...matrix, operations, entries, cells, texts: [...stored.values()] };
}

/** JSON that cannot end the script element around it. */
function json(value: unknown): string {
  return JSON.stringify(value).replaceAll('<', '\\u003c');
}

function hash(text: string): string {
  return `sha256-${createHash('sha256').update(text).digest('base64')}`;
}

function escapeHtml(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}
