import type { Provider, PublicOperation } from '@vaultsvc/contracts';

/** The code that signs a request: statements before it, and headers as expressions of the language. */
export interface SigningCode {
  readonly statements: readonly string[];
  readonly headers: Readonly<Record<string, string>>;
}

/** How a provider signs its requests, in each language. The code reads the variables `url` and `body`. */
export interface ProviderSignature {
  /** The query that the provider adds to the URL. */
  readonly query: string;
  readonly shell: SigningCode;
  readonly typeScript: SigningCode & { readonly imports: readonly string[] };
  readonly python: SigningCode & { readonly imports: readonly string[] };
}

const hmac = (variable: string, text: string) =>
  `printf '%s' "${text}" | openssl dgst -sha256 -hmac "$${variable}"`;
const createHmac = "import { createHmac } from 'node:crypto';";

/** Hex HMAC-SHA256 of version, time and body. */
const chatapp: ProviderSignature = {
  query: '',
  shell: {
    statements: [
      'time=$(date +%s)',
      `signature=$(${hmac('CHATAPP_SIGNING_SECRET', 'v0:$time:$body')} | sed 's/.* //')`,
    ],
    headers: { 'X-Chat-Request-Timestamp': '$time', 'X-Chat-Signature': 'v0=$signature' },
  },
  typeScript: {
    imports: [createHmac],
    statements: [
      'const time = String(Math.floor(Date.now() / 1_000));',
      "const signature = createHmac('sha256', process.env.CHATAPP_SIGNING_SECRET!)",
      '  .update(`v0:${time}:${body}`)',
      "  .digest('hex');",
    ],
    headers: { 'X-Chat-Request-Timestamp': 'time', 'X-Chat-Signature': '`v0=${signature}`' },
  },
  python: {
    imports: ['hashlib', 'hmac', 'time'],
    statements: [
      'timestamp = str(int(time.time()))',
      'secret = os.environ["CHATAPP_SIGNING_SECRET"].encode()',
      'signature = hmac.new(secret, f"v0:{timestamp}:".encode() + body, hashlib.sha256).hexdigest()',
    ],
    headers: { 'X-Chat-Request-Timestamp': 'timestamp', 'X-Chat-Signature': '"v0=" + signature' },
  },
};

/** Base64 HMAC-SHA256 of method, URL, body and time: the request signature v3. */
const crma: ProviderSignature = {
  query: '?portalId=62515000&userId=101',
  shell: {
    statements: [
      'time=$(date +%s)000',
      `signature=$(${hmac('CRMA_CLIENT_SECRET', 'POST$url$body$time')} -binary | openssl base64 -A)`,
    ],
    headers: { 'X-Crma-Request-Timestamp': '$time', 'X-Crma-Signature-V3': '$signature' },
  },
  typeScript: {
    imports: [createHmac],
    statements: [
      'const time = String(Date.now());',
      "const signature = createHmac('sha256', process.env.CRMA_CLIENT_SECRET!)",
      '  .update(`POST${url}${body}${time}`)',
      "  .digest('base64');",
    ],
    headers: { 'X-Crma-Request-Timestamp': 'time', 'X-Crma-Signature-V3': 'signature' },
  },
  python: {
    imports: ['base64', 'hashlib', 'hmac', 'time'],
    statements: [
      'timestamp = str(int(time.time() * 1000))',
      'secret = os.environ["CRMA_CLIENT_SECRET"].encode()',
      'signed = f"POST{url}".encode() + body + timestamp.encode()',
      'signature = base64.b64encode(hmac.new(secret, signed, hashlib.sha256).digest()).decode()',
    ],
    headers: { 'X-Crma-Request-Timestamp': 'timestamp', 'X-Crma-Signature-V3': 'signature' },
  },
};

const claims = '{"aud":"%s","iat":%d,"exp":%d,"org_id":"00D5g000004ABCD","user_id":"101"}';

/** A session of the org: a JWT (RFC 7519) with HS256 (RFC 7518, 3.2), for this API and for ten minutes at most. */
const crmb: ProviderSignature = {
  query: '',
  shell: {
    statements: [
      "base64url() { openssl base64 -A | tr '+/' '-_' | tr -d '='; }",
      `header=$(printf '{"alg":"HS256"}' | base64url)`,
      'time=$(date +%s)',
      `claims=$(printf '${claims}' "$VAULTSVC_URL" "$time" $((time + 300)) | base64url)`,
      `signature=$(${hmac('CRMB_SESSION_SECRET', '$header.$claims')} -binary | base64url)`,
    ],
    headers: { Authorization: 'Bearer $header.$claims.$signature' },
  },
  typeScript: {
    imports: [createHmac],
    statements: [
      "const base64url = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');",
      'const iat = Math.floor(Date.now() / 1_000);',
      "const person = { org_id: '00D5g000004ABCD', user_id: '101' };",
      'const claims = { aud: process.env.VAULTSVC_URL!, iat, exp: iat + 300, ...person };',
      "const content = `${base64url({ alg: 'HS256' })}.${base64url(claims)}`;",
      "const signature = createHmac('sha256', process.env.CRMB_SESSION_SECRET!)",
      '  .update(content)',
      "  .digest('base64url');",
    ],
    headers: { Authorization: '`Bearer ${content}.${signature}`' },
  },
  python: {
    imports: ['base64', 'hashlib', 'hmac', 'time'],
    statements: [
      'def base64url(data):',
      '    return base64.urlsafe_b64encode(data).decode().rstrip("=")',
      '',
      'issued_at = int(time.time())',
      'claims = {"aud": os.environ["VAULTSVC_URL"], "iat": issued_at, "exp": issued_at + 300}',
      'claims.update({"org_id": "00D5g000004ABCD", "user_id": "101"})',
      'content = base64url(b\'{"alg":"HS256"}\') + "." + base64url(json.dumps(claims).encode())',
      'secret = os.environ["CRMB_SESSION_SECRET"].encode()',
      'signature = base64url(hmac.new(secret, content.encode(), hashlib.sha256).digest())',
    ],
    headers: { Authorization: '"Bearer " + content + "." + signature' },
  },
};

/** Hex HMAC-SHA256 of time and body. */
const stripe: ProviderSignature = {
  query: '',
  shell: {
    statements: [
      'time=$(date +%s)',
      `signature=$(${hmac('STRIPE_WEBHOOK_SECRET', '$time.$body')} | sed 's/.* //')`,
    ],
    headers: { 'Stripe-Signature': 't=$time,v1=$signature' },
  },
  typeScript: {
    imports: [createHmac],
    statements: [
      'const time = String(Math.floor(Date.now() / 1_000));',
      "const signature = createHmac('sha256', process.env.STRIPE_WEBHOOK_SECRET!)",
      '  .update(`${time}.${body}`)',
      "  .digest('hex');",
    ],
    headers: { 'Stripe-Signature': '`t=${time},v1=${signature}`' },
  },
  python: {
    imports: ['hashlib', 'hmac', 'time'],
    statements: [
      'timestamp = str(int(time.time()))',
      'secret = os.environ["STRIPE_WEBHOOK_SECRET"].encode()',
      'signature = hmac.new(secret, f"{timestamp}.".encode() + body, hashlib.sha256).hexdigest()',
    ],
    headers: { 'Stripe-Signature': 'f"t={timestamp},v1={signature}"' },
  },
};

/** A panel's page has no samples: its ticket opens once. */
const signatures: Partial<Record<Provider, ProviderSignature>> = { chatapp, crma, crmb, stripe };

/** The signature of an operation that a provider calls; undefined for other operations. */
export function signatureOf({ access }: PublicOperation): ProviderSignature | undefined {
  const signature = access.provider && signatures[access.provider];
  // Only requests for people name them in the query.
  return access.provider === 'crma' && access.webhook ? { ...crma, query: '' } : signature;
}
