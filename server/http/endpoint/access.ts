import type { Request } from 'express';
import type { SecurityScheme } from './security-scheme.ts';

/** Decides who may use an endpoint. `Who` is the type of the caller that handlers receive. */
export interface Access<Who> {
  /**
   * The accepted ways to authenticate; any one of them is sufficient. An empty list means that the endpoint is public.
   */
  readonly schemes: readonly SecurityScheme[];
  /**
   * Identifies the caller.
   * @throws Refusal 401 for an unknown caller, 403 for a caller without permission
   */
  admit(request: Request): Promise<Who>;
}

/** The access of public endpoints. */
export const publicAccess: Access<undefined> = { schemes: [], admit: async () => undefined };
