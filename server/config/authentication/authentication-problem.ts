/** A setting for JWT or webhook authentication cannot be used. The message contains no value of a secret. */
export class AuthenticationProblem extends Error {
  constructor(problem: string) {
    super(problem);
    this.name = 'AuthenticationProblem';
  }
}
