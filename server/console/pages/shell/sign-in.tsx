import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { applicationAdmin, ServerError, signIn, signInAsPerson } from '../api/ask-server.ts';

interface SignInProps {
  readonly onSignedIn: () => void;
}

/** The forms that begin a session: with the admin secret, and as a person of the application. */
export function SignIn({ onSignedIn }: SignInProps) {
  return (
    <main class="sign-in">
      <h1>Rowgate console</h1>
      <SignInForm
        submit={(form) => signIn(textOf(form, 'secret'), textOf(form, 'actor'))}
        refused="The admin secret is wrong; nothing was shown"
        action="Sign in"
        onSignedIn={onSignedIn}
      >
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
      </SignInForm>
      {applicationAdmin !== '' && (
        <>
          <h2>Or as an {applicationAdmin}</h2>
          <SignInForm
            submit={(form) => signInAsPerson(textOf(form, 'token'))}
            refused="This browser has no session, and the token is missing or not valid; sign in to the application in this browser, or give a token"
            action="Sign in as yourself"
            onSignedIn={onSignedIn}
          >
            <label>
              Token (optional)
              <input name="token" type="password" autoComplete="off" />
            </label>
            <p class="quiet">
              Without a token, the session of the application in this browser counts. Rowgate
              records your name and id.
            </p>
          </SignInForm>
        </>
      )}
    </main>
  );
}

interface SignInFormProps extends SignInProps {
  readonly children: ComponentChildren;
  readonly submit: (form: FormData) => Promise<void>;
  /** The words for credentials that the server does not accept. */
  readonly refused: string;
  /** The label of the button. */
  readonly action: string;
}

function SignInForm({ children, submit, refused, action, onSignedIn }: SignInFormProps) {
  const [problem, setProblem] = useState('');
  const [isBusy, setBusy] = useState(false);
  const onSubmit = async (event: SubmitEvent) => {
    event.preventDefault();
    setBusy(true);
    try {
      await submit(new FormData(event.currentTarget as HTMLFormElement));
      onSignedIn();
    } catch (error) {
      const isRefused = error instanceof ServerError && error.status === 401;
      setProblem(
        isRefused ? refused : error instanceof ServerError ? error.message : String(error),
      );
      setBusy(false);
    }
  };
  return (
    <form onSubmit={onSubmit}>
      {children}
      {problem !== '' && (
        <p class="problem" role="alert">
          {problem}.
        </p>
      )}
      <button type="submit" class="main" disabled={isBusy}>
        {action}
      </button>
    </form>
  );
}

function textOf(form: FormData, name: string): string {
  return String(form.get(name)).trim();
}
