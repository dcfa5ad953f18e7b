/** Makes one part of a multipart form. With a file name, the part is a file. */
export function part(field: string, content: string, fileName?: string, type?: string): string {
  const name = fileName === undefined ? '' : `; filename="${fileName}"`;
  return [
    `Content-Disposition: form-data; name="${field}"${name}`,
    ...(type === undefined ? [] : [`Content-Type: ${type}`]),
    '',
    content,
  ].join('\r\n');
}

/** Makes a multipart form of these parts, with the boundary `x`. */
export function formText(...parts: readonly string[]): string {
  return `${openFormText(...parts)}\r\n--x--\r\n`;
}

/** Makes a multipart form without its closing boundary. */
export function openFormText(...parts: readonly string[]): string {
  return parts.map((one) => `--x\r\n${one}`).join('\r\n');
}
