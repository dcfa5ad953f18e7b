/** A request was refused before any work because resources are in use. The message is meant for the caller. */
export class BusyError extends Error {
  constructor(message: string) {
    super(`${message}; nothing was done, try again`);
    this.name = 'BusyError';
  }
}
