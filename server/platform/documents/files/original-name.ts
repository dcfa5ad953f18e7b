/** As long as the platform's table allows. */
const longest = 255;
const longestExtension = 20;

/**
 * What people call a file, made safe to show and to save: no folders, no control characters, nothing that turns the
 * direction of what follows; `file` where nothing else is left.
 */
export function safeOriginalName(given: string): string {
  const visible = given
    .toWellFormed()
    .normalize('NFC')
    // Joiners stay: scripts and emoji need them. Other invisible characters make one name look like another.
    .replaceAll(/(?![\u200c\u200d])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Co}\p{Cn}]/gu, '')
    .replaceAll(/\p{Zs}/gu, ' ');
  const [last = ''] = visible.split(/[/\\]/).slice(-1);
  const name = last.trim();
  return /^[.\s\u200c\u200d]*$/.test(name) ? 'file' : shortened(name);
}

/** Keeps the extension, by which programs are chosen. */
function shortened(name: string): string {
  const characters = [...name];
  if (characters.length <= longest) return name;
  const dot = characters.lastIndexOf('.');
  const extension = characters.length - dot > longestExtension ? [] : characters.slice(dot);
  return [...characters.slice(0, longest - extension.length), ...extension].join('');
}
