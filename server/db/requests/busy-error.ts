/** A request was refused because others use what it needs; nothing was done for it. The message is for the caller. */
export class BusyError extends Error {
  constructor(message: string) {
    super(`${message}; nothing was done, try again`);
    this.name = 'BusyError';
  }
}
