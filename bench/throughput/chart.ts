import type { Result } from '../load/rounds.ts';
import { median } from '../measure.ts';
import type { Setting } from '../setting.ts';

const CONNECTIONS = 16;
const WIDTH = 960;
const MARGIN = 20;
const HEAD = 84;
const COLUMNS = 2;
const PANEL_WIDTH = (WIDTH - MARGIN * (COLUMNS + 1)) / COLUMNS;
const PANEL_HEAD = 30;
const ROW = 20;
const LABEL_WIDTH = 100;
const FIGURE_WIDTH = 110;
const BAR_WIDTH = PANEL_WIDTH - LABEL_WIDTH - FIGURE_WIDTH;

const style = `
    .page { fill: #ffffff } .text { fill: #1e293b } .faint { fill: #475569 }
    .node { fill: #15803d } .postgres { fill: #6366f1 } .own { font-weight: 700 }
    @media (prefers-color-scheme: dark) {
      .page { fill: #0f172a } .text { fill: #f1f5f9 } .faint { fill: #cbd5e1 }
      .node { fill: #4ade80 } .postgres { fill: #a5b4fc }
    }`;

/** The medians of one contender. */
interface Bar {
  readonly contender: string;
  readonly serverUs: number;
  readonly postgresUs: number;
  readonly perSecond: number;
}

/**
 * Draws the processor time per request as SVG: a panel for each operation with a bar for each contender. Each panel has
 * a scale of its own. Only results with 16 connections are shown.
 */
export function chart(
  { date, processors }: Pick<Setting, 'date' | 'processors'>,
  results: readonly Result[],
): string {
  const shown = results.filter(({ connections }) => connections === CONNECTIONS);
  const panels = [...Map.groupBy(shown, ({ operation }) => operation)].map(
    ([operation, found]) => ({ operation, bars: found.map(barOf) }),
  );
  const panelHeight = PANEL_HEAD + ROW * Math.max(0, ...panels.map(({ bars }) => bars.length));
  const height = HEAD + Math.ceil(panels.length / COLUMNS) * (panelHeight + MARGIN);
  const drawn = panels.map(({ operation, bars }, index) => {
    const x = MARGIN + (index % COLUMNS) * (PANEL_WIDTH + MARGIN);
    const y = HEAD + Math.floor(index / COLUMNS) * (panelHeight + MARGIN);
    return `<g transform="translate(${x} ${y})">${panel(operation, bars)}</g>`;
  });
  const title = 'Processor time per request';
  const description = panels.map(({ operation, bars }) => `${operation}: ${inWords(bars)}.`);
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" width="${WIDTH}" height="${height}" role="img" aria-labelledby="t d" font-family="system-ui, sans-serif" font-size="13">
  <title id="t">${title}</title>
  <desc id="d">${escaped(description.join(' '))}</desc>
  <style>${style}
  </style>
  <rect class="page" width="${WIDTH}" height="${height}"/>
  <text class="text" x="${MARGIN}" y="30" font-size="18" font-weight="600">${title} in µs, with ${CONNECTIONS} connections</text>
  ${legend()}
  <text class="faint" x="${WIDTH - MARGIN}" y="58" text-anchor="end">${escaped(`${processors}, ${date}`)}</text>
  ${drawn.join('\n  ')}
</svg>
`;
}

function barOf({ contender, rounds }: Result): Bar {
  return {
    contender,
    serverUs: median(rounds.map(({ serverUs = 0 }) => serverUs)),
    postgresUs: median(rounds.map(({ postgresUs = 0 }) => postgresUs)),
    perSecond: median(rounds.map(({ perSecond }) => perSecond)),
  };
}

function legend(): string {
  const item = (name: string, label: string, x: number) =>
    `<rect class="${name}" x="${x}" y="47" width="14" height="14"/><text class="text" x="${x + 20}" y="58">${label}</text>`;
  return `${item('node', 'Node', MARGIN)}${item('postgres', 'Postgres', MARGIN + 80)}<text class="faint" x="${MARGIN + 180}" y="58">on the right: µs, and requests per second</text>`;
}

function panel(operation: string, bars: readonly Bar[]): string {
  const largest = Math.max(...bars.map(totalOf));
  const rows = bars.map((bar, index) => row(bar, PANEL_HEAD + index * ROW, BAR_WIDTH / largest));
  return `<text class="text" y="18" font-weight="600">${escaped(operation)}</text>${rows.join('')}`;
}

function row(bar: Bar, y: number, scale: number): string {
  const { contender, serverUs, postgresUs, perSecond } = bar;
  const [node, postgres] = [serverUs * scale, postgresUs * scale];
  const own = contender === 'gateway' ? ' own' : '';
  const figures = `${totalOf(bar).toFixed(0)} µs, ${shortened(perSecond)}/s`;
  return [
    `<text class="text${own}" x="${LABEL_WIDTH - 8}" y="${y + 11}" text-anchor="end">${escaped(contender)}</text>`,
    `<rect class="node" x="${LABEL_WIDTH}" y="${y}" width="${node.toFixed(1)}" height="14"/>`,
    `<rect class="postgres" x="${(LABEL_WIDTH + node).toFixed(1)}" y="${y}" width="${postgres.toFixed(1)}" height="14"/>`,
    `<text class="text${own}" x="${(LABEL_WIDTH + node + postgres + 6).toFixed(1)}" y="${y + 11}" font-size="12">${figures}</text>`,
  ].join('');
}

function totalOf({ serverUs, postgresUs }: Bar): number {
  return serverUs + postgresUs;
}

/** Shortens a rate, for example to 12.3k. */
function shortened(rate: number): string {
  return rate < 1000 ? rate.toFixed(0) : `${(rate / 1000).toFixed(1)}k`;
}

function inWords(bars: readonly Bar[]): string {
  const part = ({ contender, serverUs, postgresUs }: Bar) =>
    `${contender} ${serverUs.toFixed(0)} µs in Node and ${postgresUs.toFixed(0)} µs in Postgres`;
  return bars.map(part).join(', ');
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
