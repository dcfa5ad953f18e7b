/** Writes a text in double quotes, which YAML reads like JSON, unless it is a plain word. */
export function yamlText(text: string): string {
  return /^[a-z][a-z _-]*$/i.test(text) && !/^(true|false|null|yes|no|on|off)$/i.test(text)
    ? text
    : JSON.stringify(text);
}
