import { describe, expect, it } from 'vitest';
import {
  directionOf,
  mirrored,
  visualOrder,
} from '../../../../server/rendering/pdf/text/visual-order.ts';

const [one, other] = ['\u05d0\u05d1', '\u05d2\u05d3'];

describe('the order in which the words of a line are printed (bidirectional text)', () => {
  it('starts with the last words in a right-to-left paragraph', () => {
    expect(visualOrder(`${one} 12 ${other}`, 'rtl')).toEqual([
      { text: ` ${other}`, direction: 'rtl' },
      { text: '12', direction: 'ltr' },
      { text: `${one} `, direction: 'rtl' },
    ]);
  });

  it('exchanges the right-to-left words around a number, in a left-to-right paragraph', () => {
    expect(visualOrder(`Client ${one} 12 ${other} paid`, 'ltr')).toEqual([
      { text: 'Client ', direction: 'ltr' },
      { text: ` ${other}`, direction: 'rtl' },
      { text: '12', direction: 'ltr' },
      { text: `${one} `, direction: 'rtl' },
      { text: ' paid', direction: 'ltr' },
    ]);
  });

  it('puts the space at the end of a line at the end side of the paragraph', () => {
    expect(visualOrder(`${one} `, 'ltr').map(({ text }) => text)).toEqual([one, ' ']);
  });

  it('is computed without a stack overflow for very many changes of direction', () => {
    const runs = 200_000;
    const seen = visualOrder('\u05d0a'.repeat(runs / 2), 'rtl');
    expect(seen).toHaveLength(runs);
    expect(seen[0]).toEqual({ text: 'a', direction: 'ltr' });
  });

  it('follows the direction of the first letter of the paragraph', () => {
    expect(['12 (a)', `12 ${one} a`, '12'].map(directionOf)).toEqual(['ltr', 'rtl', 'ltr']);
  });

  it('mirrors brackets in right-to-left text, and no other characters', () => {
    expect(['(', '>', 'a'].map(mirrored)).toEqual([')', '<', 'a']);
  });
});
