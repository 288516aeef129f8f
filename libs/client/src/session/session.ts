/** The session of a person, as a client uses it. */
export interface Session {
  /** The current access token; undefined when nobody is signed in. */
  accessToken(): Promise<string | undefined>;
  /** The successor of an access token that the API refused; undefined when the session has ended. */
  renewAfter(refused: string): Promise<string | undefined>;
}
