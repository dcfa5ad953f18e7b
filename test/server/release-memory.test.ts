import { getHeapStatistics } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, test } from 'vitest';
import { releaseMemory } from '../../server/release-memory.ts';

const mebibyte = 1024 * 1024;

/** Makes garbage of some hundred mebibytes, and returns the size of the heap with it. */
function litter(): number {
  const objects = Array.from({ length: 2_000_000 }, (_, index) => ({ index, list: [index] }));
  return objects.length > 0 ? getHeapStatistics().total_heap_size : 0;
}

test('the memory of garbage is returned to the system', () => {
  const full = litter();
  releaseMemory();
  expect(full - getHeapStatistics().total_heap_size).toBeGreaterThan(100 * mebibyte);
});

test('no other code can call the garbage collector', () => {
  expect(runInNewContext('typeof gc')).toBe('undefined');
});
