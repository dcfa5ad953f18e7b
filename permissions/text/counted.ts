/** Returns a count with its noun, e.g. `1 warning` or `3 warnings`. */
export function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}
