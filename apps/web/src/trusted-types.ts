/** The part of Trusted Types (W3C) that TypeScript does not declare. */
interface TrustedTypes {
  createPolicy(name: string, rules: { createHTML: (text: string) => string | null }): unknown;
}

/**
 * The one policy that `trusted-types default` admits. React Aria's announcer clears itself by an empty `innerHTML`, which would
 * throw; any other text is refused as without a policy. It is the first import of the application.
 */
const { trustedTypes } = globalThis as { trustedTypes?: TrustedTypes };
trustedTypes?.createPolicy('default', { createHTML: (text) => (text === '' ? '' : null) });

export {};
