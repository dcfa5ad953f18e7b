/** Removes the zeros at the end, in linear time. The pattern `0+$` takes quadratic time on long runs of zeros. */
export function withoutTrailingZeros(digits: string): string {
  let end = digits.length;
  while (digits[end - 1] === '0') end -= 1;
  return digits.slice(0, end);
}
