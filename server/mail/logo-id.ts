/** By what the text of a mail names the logo that comes along with it. */
export const logoId = 'logo@rowgate';
