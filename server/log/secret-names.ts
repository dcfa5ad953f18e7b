/**
 * Parts of a name that mark its value as a secret, as alternatives of a pattern. Logged fields, query strings and displayed
 * payloads all use them, and each adds parts of its own.
 */
export const secretNameParts = 'secret|passw(?:or)?d|token|signature|credential';
