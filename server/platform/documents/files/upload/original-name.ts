/** The limit of the platform's table, in characters. */
const maxLength = 255;
const maxExtensionLength = 20;

/**
 * Makes a user's file name safe to show and to save: without folders, control characters and characters that change the
 * text direction. Returns `file` when no character remains.
 */
export function safeOriginalName(given: string): string {
  const visible = given
    .toWellFormed()
    .normalize('NFC')
    // Removes invisible characters, which could make different names look the same. Joiners stay, because some scripts
    // and emoji need them.
    .replaceAll(/(?![\u200c\u200d])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Co}\p{Cn}]/gu, '')
    .replaceAll(/\p{Zs}/gu, ' ');
  const [last = ''] = visible.split(/[/\\]/).slice(-1);
  const name = last.trim();
  return /^[.\s\u200c\u200d]*$/.test(name) ? 'file' : shortened(name);
}

/** Shortens a name and keeps its extension, which selects the program that opens the file. */
function shortened(name: string): string {
  const characters = [...name];
  if (characters.length <= maxLength) return name;
  const dot = characters.lastIndexOf('.');
  const extension = characters.length - dot > maxExtensionLength ? [] : characters.slice(dot);
  return [...characters.slice(0, maxLength - extension.length), ...extension].join('');
}
