/** Turns each line of a text into a YAML comment. */
export function asComment(text: string): string {
  return text.replace(/^(?=.)/gm, '# ');
}
