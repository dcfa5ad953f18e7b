/** Digits without the zeros at their end, in one pass: the pattern `0+$` would look at each run of zeros once per zero. */
export function withoutTrailingZeros(digits: string): string {
  let end = digits.length;
  while (digits[end - 1] === '0') end -= 1;
  return digits.slice(0, end);
}
