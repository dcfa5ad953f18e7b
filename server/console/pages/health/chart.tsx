import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import Plot from 'uplot';
import { clockOf } from './figures.ts';

/** One line of a chart. */
interface Line {
  readonly name: string;
  /** A value for each time; null leaves a gap. */
  readonly values: readonly (number | null)[];
}

interface ChartProps {
  readonly title: string;
  /** Milliseconds since 1970. */
  readonly times: readonly number[];
  /** At most two lines. The second one is dashed, so that the colour alone tells nothing. */
  readonly lines: readonly Line[];
  readonly format: (value: number) => string;
}

const height = 150;
const dashes: readonly (readonly number[] | undefined)[] = [undefined, [6, 4]];

/** A chart over time. Its caption has the values under the pointer, or else the latest ones. */
export function Chart({ title, times, lines, format }: ChartProps) {
  const figure = useRef<HTMLElement>(null);
  const plot = useRef<Plot | undefined>(undefined);
  const [pointed, setPointed] = useState<number | null>(null);
  const data = [times.map((time) => time / 1000), ...lines.map(({ values }) => values)];
  useLayoutEffect(() => {
    const place = figure.current?.querySelector<HTMLElement>('.plot');
    if (!figure.current || !place) return;
    const made = makePlot(figure.current, place, lines, format, setPointed);
    plot.current = made;
    const sizes = new ResizeObserver(() => made.setSize({ width: place.clientWidth, height }));
    sizes.observe(place);
    const endThemes = onTheme(() => made.redraw());
    return () => {
      sizes.disconnect();
      endThemes();
      made.destroy();
    };
  }, []);
  useLayoutEffect(() => plot.current?.setData(data as Plot.AlignedData), [times]);
  const index = pointed ?? times.length - 1;
  const at = pointed === null ? 'now' : clockOf(times[index] ?? 0);
  return (
    <figure ref={figure} class="chart">
      <figcaption>
        <span class="chart-title">{title}</span>
        {lines.map(({ name, values }, number) => (
          <span key={name} class={`key key-${number}`}>
            {name} {valueAt(values, index, format)}
          </span>
        ))}
        <span class="quiet">{at}</span>
      </figcaption>
      <div class="plot" aria-hidden="true" />
    </figure>
  );
}

function valueAt(values: Line['values'], index: number, format: ChartProps['format']): string {
  const value = values[index] ?? null;
  return value === null ? '–' : format(value);
}

function makePlot(
  figure: HTMLElement,
  place: HTMLElement,
  lines: readonly Line[],
  format: ChartProps['format'],
  setPointed: (index: number | null) => void,
): Plot {
  const colourOf = (selector: string) => () => {
    const element = figure.querySelector(selector) ?? figure;
    return getComputedStyle(element).color;
  };
  const axis = {
    stroke: colourOf('.quiet'),
    grid: { stroke: () => getComputedStyle(figure).borderTopColor, width: 1 },
    ticks: { show: false },
  };
  const clock = (seconds: number) => clockOf(seconds * 1000).slice(0, 5);
  return new Plot(
    {
      ...{ width: place.clientWidth, height, legend: { show: false } },
      cursor: { y: false, drag: { x: false, y: false }, points: { show: false } },
      scales: { y: { range: (_plot, _min, max) => [0, Math.max(max, Number.EPSILON) * 1.1] } },
      axes: [
        { ...axis, size: 28, values: (_plot, splits) => splits.map(clock) },
        { ...axis, size: 64, values: (_plot, splits) => splits.map((value) => format(value)) },
      ],
      series: [
        {},
        ...lines.map((_, number) => {
          const dash = dashes[number];
          const stroke = colourOf(`.key-${number}`);
          return { stroke, width: 2, spanGaps: true, ...(dash && { dash: [...dash] }) };
        }),
      ],
      hooks: { setCursor: [({ cursor }) => setPointed(cursor.idx ?? null)] },
    },
    undefined,
    place,
  );
}

/** Calls a function when the theme of the page or of the system changes. Returns a function that ends this. */
function onTheme(redraw: () => void): () => void {
  const themes = new MutationObserver(redraw);
  themes.observe(document.documentElement, { attributeFilter: ['data-theme'] });
  const system = matchMedia('(prefers-color-scheme: dark)');
  system.addEventListener('change', redraw);
  return () => {
    themes.disconnect();
    system.removeEventListener('change', redraw);
  };
}
