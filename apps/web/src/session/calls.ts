/**
 * How the application calls the API of its origin. A person waits for the answer: only a call that the API could not count, or
 * that got none, is repeated, within about a second (ENV-36).
 */
export const calls = {
  url: location.origin,
  retry: { attempts: 4, maxSeconds: 1.5 },
  // The API gives up a call after 10 s.
  timeoutSeconds: 12,
};
