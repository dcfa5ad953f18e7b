import { describe, expect, it } from 'vitest';
import {
  directionOf,
  mirrored,
  visualOrder,
} from '../../../../server/rendering/pdf/text/visual-order.ts';

const [one, other] = ['\u05d0\u05d1', '\u05d2\u05d3'];

describe('the visual order of a line', () => {
  it('begins with the last words in a right-to-left paragraph', () => {
    expect(visualOrder(`${one} 12 ${other}`, 'rtl')).toEqual([
      { text: ` ${other}`, direction: 'rtl' },
      { text: '12', direction: 'ltr' },
      { text: `${one} `, direction: 'rtl' },
    ]);
  });

  it('reverses numbers among right-to-left letters in a left-to-right paragraph', () => {
    expect(visualOrder(`Client ${one} 12 ${other} paid`, 'ltr')).toEqual([
      { text: 'Client ', direction: 'ltr' },
      { text: ` ${other}`, direction: 'rtl' },
      { text: '12', direction: 'ltr' },
      { text: `${one} `, direction: 'rtl' },
      { text: ' paid', direction: 'ltr' },
    ]);
  });

  it('puts the trailing space at the end side of the paragraph', () => {
    expect(visualOrder(`${one} `, 'ltr').map(({ text }) => text)).toEqual([one, ' ']);
  });

  it('is computed for very many runs', () => {
    const runs = 200_000;
    const seen = visualOrder('\u05d0a'.repeat(runs / 2), 'rtl');
    expect(seen).toHaveLength(runs);
    expect(seen[0]).toEqual({ text: 'a', direction: 'ltr' });
  });

  it('uses the direction of the first letter for a paragraph', () => {
    expect(['12 (a)', `12 ${one} a`, '12'].map(directionOf)).toEqual(['ltr', 'rtl', 'ltr']);
  });

  it('mirrors brackets and nothing else', () => {
    expect(['(', '>', 'a'].map(mirrored)).toEqual([')', '<', 'a']);
  });
});
