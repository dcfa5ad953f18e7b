import type { Request } from 'express';
import type pg from 'pg';
import type { SecurityScheme } from '../http/endpoint/security-scheme.ts';

/** A person whom an application has signed in, and who administers it. */
export interface AdminPerson {
  readonly id: string;
  /**
   * Names the session or token by which the person has signed in. A cookie contains it, so it must not open anything by
   * itself, for example because it is a digest.
   */
  readonly proof: string;
}

/** An administrator at the moment of signing in. */
export interface SignedInAdmin extends AdminPerson {
  /** The name for the record. The person must not be able to choose it. */
  readonly name: string;
  /** The end of the person's session or token, in milliseconds since 1970. */
  readonly endsAt: number;
}

/** Lets the administrators of an application use the console without the admin secret. */
export interface AdminSignIn {
  /** The people who may sign in, for the form: `admin of the platform`. */
  readonly title: string;
  readonly schemes: readonly SecurityScheme[];
  /**
   * Identifies an administrator by the session or token of a request; undefined when the request has neither.
   * @throws Refusal when the person is no administrator
   */
  identify(request: Request): Promise<SignedInAdmin | undefined>;
  /**
   * Returns whether the person is still an administrator, and the session or token has not ended. Each request of a
   * session of the console asks it.
   * @param client a connection of the login that applies rules
   */
  isCurrent(client: pg.ClientBase, person: AdminPerson): Promise<boolean>;
}
