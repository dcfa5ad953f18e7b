import { useEffect, useRef } from 'preact/hooks';
import uPlot from 'uplot';

export interface Series {
  readonly name: string;
  /** Null where there is none; the line continues behind it. */
  readonly values: readonly (number | null)[];
}

export interface ChartProps {
  readonly title: string;
  /** The times of all values, in seconds since 1970. */
  readonly times: readonly number[];
  /** At most four. Their lines differ in colour and in pattern. */
  readonly series: readonly Series[];
  /** Returns a value in words. */
  readonly words: (value: number) => string;
}

const height = 180;
/** The patterns of the lines in pixels, and their names for the legend. */
const patterns = [[], [7, 4], [2, 3], [9, 3, 2, 3]] as const;

/** A chart of values by time. The same values are in a table, for screen readers and for exact numbers. */
export function Chart(props: ChartProps) {
  const { title, times, series, words } = props;
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const element = place.current;
    if (!element) return;
    let plot = draw(element, props);
    const again = () => {
      plot.destroy();
      plot = draw(element, props);
    };
    const resized = new ResizeObserver(() => plot.setSize({ width: element.clientWidth, height }));
    resized.observe(element);
    // A canvas has no variables of the style sheet, so a change of the theme draws it again.
    const themed = new MutationObserver(again);
    themed.observe(document.documentElement, { attributeFilter: ['data-theme'] });
    const system = matchMedia('(prefers-color-scheme: dark)');
    system.addEventListener('change', again);
    return () => {
      resized.disconnect();
      themed.disconnect();
      system.removeEventListener('change', again);
      plot.destroy();
    };
  }, [times.join(), JSON.stringify(series)]);
  return (
    <figure class="chart">
      <figcaption>{title}</figcaption>
      <div ref={place} aria-hidden="true" />
      <ul class="legend">
        {series.map(({ name, values }, index) => (
          <li key={name}>
            <span class={`line line-${index}`} aria-hidden="true" />
            {name}: now {wordsOf(values.at(-1), words)}, at most{' '}
            {words(Math.max(0, ...values.map((value) => value ?? 0)))}
          </li>
        ))}
      </ul>
      <details>
        <summary>The values as a table</summary>
        <ValueTable {...props} />
      </details>
    </figure>
  );
}

function ValueTable({ times, series, words }: ChartProps) {
  return (
    <table>
      <thead>
        <tr>
          <th scope="col">Until</th>
          {series.map(({ name }) => (
            <th key={name} scope="col">
              {name}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {times.map((time, at) => (
          <tr key={time}>
            <th scope="row">{new Date(time * 1000).toLocaleString()}</th>
            {series.map(({ name, values }) => (
              <td key={name}>{wordsOf(values[at], words)}</td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function draw(element: HTMLElement, { times, series, words }: ChartProps): uPlot {
  const axis = { stroke: colour('--soft'), grid: { stroke: colour('--line'), width: 1 } };
  const colours = ['--mark', '--whole', '--wrong', '--ink'].map(colour);
  return new uPlot(
    {
      ...{ width: Math.max(element.clientWidth, 1), height },
      ...{ legend: { show: false }, cursor: { show: false } },
      scales: { y: { range: (_plot, _min, max) => [0, max > 0 ? max : 1] } },
      axes: [
        axis,
        { ...axis, size: 72, values: (_plot, marks) => marks.map((mark) => words(mark)) },
      ],
      series: [
        {},
        ...series.map((_one, index) => ({
          ...{ stroke: colours[index] ?? '', width: 2, dash: [...(patterns[index] ?? [])] },
          ...{ points: { show: false }, spanGaps: true },
        })),
      ],
    },
    [[...times], ...series.map(({ values }) => [...values])],
    element,
  );
}

function wordsOf(value: number | null | undefined, words: ChartProps['words']): string {
  return value === null || value === undefined ? '–' : words(value);
}

/** Returns the value of a colour of the style sheet in the present theme. */
function colour(name: string): string {
  const probe = document.createElement('span');
  probe.style.color = `var(${name})`;
  document.body.append(probe);
  const { color } = getComputedStyle(probe);
  probe.remove();
  return color;
}
