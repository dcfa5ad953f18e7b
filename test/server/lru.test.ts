import { describe, expect, test } from 'vitest';
import { Budget, Lru } from '../../server/lru.ts';

const fill = (lru: Lru<number>, name: string, count: number) => {
  for (let index = 0; index < count; index += 1) lru.set(`${name}${index}`, index, 1);
};
const held = (lru: Lru<number>, name: string, count: number) =>
  Array.from({ length: count }, (_, index) => lru.get(`${name}${index}`) ?? -1);

describe('a budget that several least-recently-used maps share', () => {
  test('never costs more than its maximum, counted over the items of all maps', () => {
    const budget = new Budget(10);
    const maps = [new Lru<number>(budget), new Lru<number>(budget), new Lru<number>(budget)];
    for (const map of maps) fill(map, 'a', 20);
    expect(budget.spent).toBe(10);
  });

  test('drops the least recently used items of the map whose items cost the most', () => {
    const budget = new Budget(10);
    const [small, large] = [new Lru<number>(budget), new Lru<number>(budget)];
    fill(small, 'a', 4);
    fill(large, 'b', 6);
    large.get('b0');
    fill(large, 'c', 4);
    expect(held(small, 'a', 4)).toEqual([0, 1, 2, 3]);
    expect(held(large, 'b', 6)).toEqual([0, -1, -1, -1, -1, 5]);
    expect(held(large, 'c', 4)).toEqual([0, 1, 2, 3]);
  });

  test('stores no item that costs more than the whole budget', () => {
    const budget = new Budget(10);
    const map = new Lru<number>(budget);
    fill(map, 'a', 3);
    map.set('a1', 1, 11);
    expect(held(map, 'a', 3)).toEqual([0, -1, 2]);
    expect(budget.spent).toBe(2);
  });

  test('counts the new cost when an item is replaced', () => {
    const budget = new Budget(10);
    const map = new Lru<number>(budget);
    fill(map, 'a', 5);
    map.set('a4', 4, 9);
    expect(held(map, 'a', 5)).toEqual([-1, -1, -1, 3, 4]);
  });
});
