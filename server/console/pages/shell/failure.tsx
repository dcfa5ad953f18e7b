import { ServerError } from '../api/ask-server.ts';

/** Shows an error, its id in the log, and a button that tries again. */
export function Failure({ error, retry }: { readonly error: unknown; readonly retry: () => void }) {
  const { message, requestId } = asServerError(error);
  return (
    <div class="failure" role="alert">
      <p>
        <strong>This did not work: </strong>
        {message}.
      </p>
      {requestId && (
        <p class="quiet">
          The log of the server has the reason at request id <code>{requestId}</code>.
        </p>
      )}
      <button type="button" onClick={retry}>
        Try again
      </button>
    </div>
  );
}

function asServerError(error: unknown): ServerError {
  return error instanceof ServerError ? error : new ServerError(String(error));
}
