/**
 * The script of the page. It builds every element by the DOM, so that names of tables and roles never become markup.
 * The Content-Security-Policy of the page contains its hash.
 */
export const pageScript = `
'use strict';
const data = JSON.parse(document.getElementById('data').textContent);
const field = (id) => document.getElementById(id);
const make = (tag, text, ...children) => {
  const element = document.createElement(tag);
  if (text) element.textContent = text;
  element.append(...children);
  return element;
};
const textOf = (index) => data.texts[index];
const ofTable = data.tables.map(() => []);
for (const [table, role, operation, words, columns, rows] of data.entries)
  ofTable[table].push({ role, operation, words, columns, rows });
const hint = 'Choose a cell to read its rules.';
let chosen;

const matches = (table, text, role, operation) => {
  const entries = ofTable[table].filter((entry) =>
    (role < 0 || entry.role === role) && (operation < 0 || entry.operation === operation));
  if ((role >= 0 || operation >= 0) && entries.length === 0) return false;
  if (text === '') return true;
  const { key, columns } = data.tables[table];
  if (key.toLowerCase().includes(text) || columns.some((name) => name.toLowerCase().includes(text))) return true;
  return entries.some((entry) => textOf(entry.words).some((words) => words.toLowerCase().includes(text)) ||
    data.roles[entry.role].name.toLowerCase().includes(text));
};

const fillGrid = () => {
  const text = field('text').value.trim().toLowerCase();
  const role = data.roles.findIndex(({ name }) => name === field('role').value);
  const operation = data.operations.indexOf(field('operation').value);
  const roles = data.roles.map((one, index) => ({ ...one, index })).filter(({ index }) => role < 0 || index === role);
  const shown = data.tables.map((_, index) => index).filter((table) => matches(table, text, role, operation));
  if (shown.length === 0) {
    const none = make('p', 'No table matches.');
    none.className = 'none';
    field('grid').replaceChildren(none);
    return;
  }
  const head = make('tr', '', headCell('table'), ...roles.map(({ name, inherits }) => {
    const cell = headCell(name);
    if (inherits.length > 0) cell.append(make('small', 'inherits from ' + inherits.join(', ')));
    return cell;
  }));
  const rows = shown.map((table) => {
    const name = make('th', data.tables[table].key);
    name.scope = 'row';
    return make('tr', '', name, ...roles.map(({ index }) => make('td', '', cellOf(table, index))));
  });
  field('grid').replaceChildren(make('table', '', make('thead', '', head), make('tbody', '', ...rows)));
};

const headCell = (text) => {
  const cell = make('th', text);
  cell.scope = 'col';
  return cell;
};

const cellOf = (table, role) => {
  const mark = textOf(data.cells[table][role]);
  if (mark === '-') return make('span', '-');
  const button = make('button', mark);
  button.type = 'button';
  button.setAttribute('aria-pressed', 'false');
  button.setAttribute('aria-label', data.roles[role].name + ' on ' + data.tables[table].key + ': ' + mark);
  button.addEventListener('click', () => {
    chosen?.setAttribute('aria-pressed', 'false');
    chosen = button;
    button.setAttribute('aria-pressed', 'true');
    field('column').value = '';
    showRules(table, role);
  });
  return button;
};

const answer = (title, pairs) => {
  const list = make('dl', '', ...pairs.flatMap(([term, texts]) => [make('dt', term), make('dd', '',
    texts.length === 1 ? texts[0] : make('ul', '', ...texts.map((text) => make('li', text))))]));
  field('answer').replaceChildren(make('h2', title), pairs.length > 0 ? list : make('p', 'No role.'));
};

const showRules = (table, role) => {
  const entries = ofTable[table].filter((entry) => entry.role === role);
  answer(data.roles[role].name + ' on ' + data.tables[table].key, entries.map((entry) =>
    [data.operations[entry.operation], textOf(entry.words)]));
};

const showColumn = () => {
  const wanted = field('column').value.trim();
  const at = wanted.lastIndexOf('.');
  const [name, column] = [wanted.slice(0, at), wanted.slice(at + 1)];
  const table = data.tables.findIndex(({ key, columns }) =>
    (key === name || key.endsWith('.' + name)) && columns.includes(column));
  if (table < 0) {
    field('answer').replaceChildren(make('p', wanted === '' ? hint : 'There is no column ' + wanted + '.'));
    return;
  }
  const pairs = ofTable[table].flatMap((entry) => {
    const index = textOf(entry.columns).indexOf(column);
    if (index < 0) return [];
    return [[data.roles[entry.role].name + ' may ' + data.operations[entry.operation],
      [textOf(entry.rows)[index]]]];
  });
  answer('Who can use ' + data.tables[table].key + '.' + column, pairs);
};

field('role').append(...data.roles.map(({ name }) => make('option', name)));
field('columns').append(...data.tables.flatMap(({ key, columns }) => columns.map((name) => {
  const option = document.createElement('option');
  option.value = key + '.' + name;
  return option;
})));
field('filters').addEventListener('submit', (event) => event.preventDefault());
for (const id of ['text', 'role', 'operation']) field(id).addEventListener('input', fillGrid);
field('column').addEventListener('input', showColumn);
fillGrid();
showColumn();
`;
