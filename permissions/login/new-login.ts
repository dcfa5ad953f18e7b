import type { RoleModel } from '../types/model.ts';
import type { VariableName } from '../types/names.ts';
import type { LoginLimits } from './login-limits.ts';

/** The settings of a login to create. */
export interface NewLogin {
  /** A name that loginNameProblem has accepted. */
  readonly name: string;
  readonly role: RoleModel;
  /** Values that bindVariables has accepted. */
  readonly variables: ReadonlyMap<VariableName, string>;
  /** The password in clear text. No statement contains it: Rowgate sends the form that the server stores. */
  readonly password: string;
  readonly headerPrefix: string;
  /** Default: defaultLoginLimits. */
  readonly limits?: LoginLimits;
  /**
   * Makes views of the role's tables in the transaction that makes the login, and returns their schema. Absent: the
   * login's unqualified names do not find views.
   */
  readonly makeViews?: (() => Promise<string>) | undefined;
}
