/** Turns each line of a text into a comment of YAML. */
export function asComment(text: string): string {
  return text.replace(/^(?=.)/gm, '# ');
}
