/** The rules of all operations, as sections of the description of the OpenAPI document. */
export interface ApiTopic {
  readonly title: string;
  /** Markdown. */
  readonly text: string;
}

/** The topics in reading order, for the API at this origin. */
export function apiTopicsOf(origin: string): readonly ApiTopic[] {
  return [
    {
      title: 'Requests and answers',
      text: `Requests and answers are JSON. A success is \`{"data": …, "meta": …}\`, an error \`{"error": {"code", "message", "details"}, "meta": …}\`; each reason of an error is on the page [Errors](${origin}/docs/errors). Fields named \`…_at\` are seconds since the Unix epoch.`,
    },
    {
      title: 'Credentials',
      text: `Every call needs \`X-API-Key\`, or \`Authorization: Bearer\` with the access token of a session, unless its description says otherwise; without one that is valid the answer is 401. What is inside a vault also needs \`X-Vault-Access-Token\`, which unsealing the vault returns. People sign in by [sessions](${origin}/docs/guides/sessions).`,
    },
    {
      title: 'Rate limit',
      text: 'An account may make 300 calls in a minute; the header `RateLimit` and `meta.quota` say how many are left. A call above that is 429 `RATE_LIMIT_EXCEEDED`, with the seconds to wait in `Retry-After`. While the limiter cannot be reached, calls are 429 with the reason `LIMITER_UNAVAILABLE`, without figures.',
    },
    {
      title: 'Retries',
      text: `A \`GET\` may be repeated, unless it reads a Spark, which burns it. Send an \`Idempotency-Key\` with what creates something, and repeat it with the same key: it is then [carried out once](${origin}/docs/guides/idempotency). After 429 and 503 wait for \`Retry-After\`.`,
    },
    {
      title: 'Expiry',
      text: 'A Spark lives for `ttl_minutes`, 24 hours at most, and its link no longer; a one-time link of a file for 5 minutes to 24 hours. A Vault Access Token is valid for `ttl_seconds`, 24 hours at most, the access token of a session for one hour, and the URL of an upload or a download for 24 hours. Fields named `expires_at` say when.',
    },
    {
      title: 'Paging',
      text: 'Lists with pages take `limit` and `cursor`. `next_cursor` is in the answer while another page follows: send it as `cursor`, unchanged, with the same query. Two lists, of SparkLinks and of delegated keys, also have the older name `cursor` for it, which is null on the last page.',
    },
  ];
}

/** The anchor of a topic in the reference, as the viewer makes it. */
export function topicAnchorOf({ title }: ApiTopic): string {
  return `description/${title.toLowerCase().replaceAll(' ', '-')}`;
}
