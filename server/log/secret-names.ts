/**
 * Parts of a name that mark its value as a secret, as alternatives of a pattern. The masks of logged fields, query
 * strings and displayed payloads all use this list, and each mask adds further parts.
 */
export const secretNameParts = 'secret|passw(?:or)?d|token|signature|credential';
