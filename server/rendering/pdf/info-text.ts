const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };

/**
 * A text of the file's metadata. Pdfkit writes it twice: as it is (`valueOf`) into the information dictionary, and by
 * `toString` into XML, where it escapes nothing.
 */
export class InfoText extends String {
  /** By which pdfkit finds out whether there is more than ASCII; as inherited it would read what `toString` gives. */
  override charCodeAt(index: number): number {
    return this.valueOf().charCodeAt(index);
  }

  override toString(): string {
    return this.valueOf().replace(/[&<>]/g, (character) => entities[character] ?? '');
  }
}
