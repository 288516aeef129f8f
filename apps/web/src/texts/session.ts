/** Texts around the session: signing in, joining, and its end. */
export const sessionTexts = {
  starting: 'Looking for your session …',
  welcome: 'Share secrets that can be read once',
  welcomeText:
    'Send a password or a key by a link that opens once. Keep files in vaults that only their key opens.',
  welcomeHow: "Your organization's identity provider asks who you are and sends you back here.",
  signIn: 'Sign in',
  signOut: 'Sign out',
  guides: 'What is vaultsvc? Read the guides',
  left: 'You are signed out',
  leftText: 'Your identity provider may still remember you. Sign out there too on a shared computer.',
  refused: 'You are not signed in',
  emailNotVerified:
    'The sign-in was not accepted. Your e-mail address must be verified at the identity provider.',
  foreignAnswer: 'This answer belongs to another sign-in. Sign in again.',
  foreignProvider: 'This answer comes from another identity provider. Sign in again.',
  providerRefused: (reason: string | null) =>
    `The identity provider refused: ${reason ?? 'it named no reason'}.`,
  join: 'Join an organization',
  joinText: 'You are invited to:',
  accept: (organization: string) => `Join ${organization}`,
  decline: 'Decline',
  invitation: (role: string, by: string | null, until: string) =>
    `as ${role}${by === null ? '' : `, by ${by}`}, until ${until}`,
  create: 'Name your organization',
  createInstead: 'Or create an organization',
  createText: 'You become its owner and can invite others.',
  organization: 'Organization',
  organizationHint: 'Recipients may see this name.',
  createButton: 'Create organization',
  useAnother: 'Use another account',
  ended: 'Your session has ended. What you typed stays here.',
  signInAgain: 'Sign in again',
  windowBlocked:
    'Your browser has blocked the window for the sign-in. Allow windows for this page, then try again.',
  windowDone: 'You are signed in',
  windowDoneText: 'You can close this window. The page that you came from goes on.',
} as const;
