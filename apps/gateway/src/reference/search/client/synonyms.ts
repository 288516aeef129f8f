/**
 * The words of the documentation for those that people use. A line: phrases that people type, and phrases that the pages have.
 * Phrases are compared word by word, in any number, and those that people type are searched too.
 */
export const synonyms: readonly (readonly [typed: readonly string[], written: readonly string[]])[] = [
  [
    ['one time secret', 'onetime secret', 'self destruct', 'burn after reading', 'password', 'secret'],
    ['spark'],
  ],
  [
    ['one time link', 'onetime link', 'secret link', 'share link', 'magic link'],
    ['sparklink', 'link'],
  ],
  [
    ['share', 'send'],
    ['share', 'link'],
  ],
  [['upload', 'upload file', 'attachment', 'tus', 'resume'], ['upload']],
  [
    ['file', 'document'],
    ['file', 'ingot'],
  ],
  [['download', 'fetch file'], ['download']],
  [
    ['paging', 'pagination', 'paginate', 'page', 'next page', 'offset', 'list all'],
    ['paging', 'cursor'],
  ],
  [
    ['rate limit', 'rate limiting', 'throttle', 'throttling', 'quota', 'too many requests', '429'],
    ['rate limit'],
  ],
  [
    ['sign in', 'signin', 'log in', 'login', 'oauth', 'oidc', 'sso', 'jwt'],
    ['sign in', 'session'],
  ],
  [
    ['sign up', 'signup', 'register', 'registration', 'create account'],
    ['sign up', 'complete signup'],
  ],
  [
    ['log out', 'logout', 'sign out'],
    ['logout', 'end session'],
  ],
  [
    ['retry', 'retries', 'try again', 'duplicate', 'idempotent'],
    ['retry', 'idempotency'],
  ],
  [
    ['expiry', 'expire', 'expiration', 'ttl', 'lifetime', 'valid until'],
    ['expire', 'ttl', 'lifetime'],
  ],
  [
    ['401', 'unauthorized', 'unauthenticated', 'not authorized'],
    ['401', 'credential', 'authentication error'],
  ],
  [
    ['403', 'forbidden', 'permission', 'permissions', 'access denied'],
    ['403', 'role'],
  ],
  [
    ['404', 'not found'],
    ['404', 'not found'],
  ],
  [
    ['402', 'payment required', 'out of storage', 'storage full'],
    ['402', 'quota exceeded'],
  ],
  [
    ['413', 'too large', 'max size', 'size limit'],
    ['413', 'too large'],
  ],
  [
    ['encryption key', 'master key', 'vault key', 'unlock', 'open vault'],
    ['vmk', 'unseal'],
  ],
  [['lock', 'close vault'], ['seal']],
  [
    ['env', 'dotenv', 'environment variable', 'config', 'key value', 'settings'],
    ['structured ingot', 'settings'],
  ],
  [
    ['team', 'member', 'colleague', 'invite user', 'add user'],
    ['user', 'invitation', 'people'],
  ],
  [['role', 'admin', 'owner'], ['role']],
  [
    ['token', 'api token', 'access token'],
    ['key', 'token'],
  ],
  [['webhook', 'callback', 'hook'], ['webhook']],
  [
    ['email', 'mail', 'sms', 'text message', 'push', 'notify'],
    ['notification', 'mail'],
  ],
  [['sdk', 'library', 'javascript', 'node', 'typescript'], ['client']],
  [
    ['command line', 'terminal', 'shell', 'cli', 'install'],
    ['command line', 'vaultsvc'],
  ],
  [
    ['price', 'pricing', 'plan', 'cost', 'upgrade'],
    ['plan', 'subscription', 'billing'],
  ],
  [['history', 'log', 'activity', 'who did'], ['audit']],
  [['error format', 'error codes', 'error'], ['error']],
  [
    ['random', 'rng', 'random number'],
    ['entropy', 'random'],
  ],
  [
    ['delete', 'remove', 'revoke'],
    ['delete', 'remove', 'revoke'],
  ],
];

/** Words of questions, which say nothing about what is sought. */
export const fillers: ReadonlySet<string> = new Set(
  'a an and are at by can do does for from get how i in is it make me my of on or set the to use what when where which why with'.split(
    ' ',
  ),
);
