import { useState } from 'preact/hooks';
import { ServerError, signIn } from '../api/ask-server.ts';

/** The form that begins a session. */
export function SignIn({ onSignedIn }: { readonly onSignedIn: () => void }) {
  const [problem, setProblem] = useState('');
  const [isBusy, setBusy] = useState(false);
  const submit = async (event: SubmitEvent) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget as HTMLFormElement);
    setBusy(true);
    try {
      await signIn(String(form.get('secret')).trim(), String(form.get('actor')).trim());
      onSignedIn();
    } catch (error) {
      setProblem(error instanceof ServerError ? wordsOf(error) : String(error));
      setBusy(false);
    }
  };
  return (
    <main class="sign-in">
      <h1>Rowgate console</h1>
      <form onSubmit={submit}>
        <label>
          Your name
          <input name="actor" required maxLength={200} autoComplete="username" />
        </label>
        <p class="quiet">Rowgate records it with everything that you look at.</p>
        <label>
          Admin secret
          <input name="secret" type="password" required autoComplete="current-password" />
        </label>
        <p class="quiet">
          The value of ROWGATE_ADMIN_SECRET, or of the file that <code>rowgate serve</code> prints.
        </p>
        {problem !== '' && (
          <p class="problem" role="alert">
            {problem}.
          </p>
        )}
        <button type="submit" class="main" disabled={isBusy}>
          Sign in
        </button>
      </form>
    </main>
  );
}

function wordsOf({ status, message }: ServerError): string {
  return status === 401 ? 'The admin secret is wrong; nothing was shown' : message;
}
