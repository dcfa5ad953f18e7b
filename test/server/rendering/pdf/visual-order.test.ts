import { describe, expect, it } from 'vitest';
import {
  directionOf,
  mirrored,
  visualOrder,
} from '../../../../server/rendering/pdf/text/visual-order.ts';

const [one, other] = ['\u05d0\u05d1', '\u05d2\u05d3'];

describe('the order in which text is seen', () => {
  it('has the last words first where the paragraph runs from right to left', () => {
    expect(visualOrder(`${one} 12 ${other}`, 'rtl')).toEqual([
      { text: ` ${other}`, direction: 'rtl' },
      { text: '12', direction: 'ltr' },
      { text: `${one} `, direction: 'rtl' },
    ]);
  });

  it('turns round numbers among letters from right to left in a paragraph from the left', () => {
    expect(visualOrder(`Client ${one} 12 ${other} paid`, 'ltr')).toEqual([
      { text: 'Client ', direction: 'ltr' },
      { text: ` ${other}`, direction: 'rtl' },
      { text: '12', direction: 'ltr' },
      { text: `${one} `, direction: 'rtl' },
      { text: ' paid', direction: 'ltr' },
    ]);
  });

  it('leaves the space at the end of a line at the side where the paragraph ends', () => {
    expect(visualOrder(`${one} `, 'ltr').map(({ text }) => text)).toEqual([one, ' ']);
  });

  it('is found for very many runs', () => {
    const runs = 200_000;
    const seen = visualOrder('\u05d0a'.repeat(runs / 2), 'rtl');
    expect(seen).toHaveLength(runs);
    expect(seen[0]).toEqual({ text: 'a', direction: 'ltr' });
  });

  it('takes a paragraph for one of the direction of its first letter', () => {
    expect(['12 (a)', `12 ${one} a`, '12'].map(directionOf)).toEqual(['ltr', 'rtl', 'ltr']);
  });

  it('mirrors brackets and nothing else', () => {
    expect(['(', '>', 'a'].map(mirrored)).toEqual([')', '<', 'a']);
  });
});
