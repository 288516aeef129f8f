/**
 * The request that Notify sends to the webhook of an account, as in Standard Webhooks 1.0.0 (OPEN-35). The webhooks that the
 * platform receives are operations.
 */
export const sentWebhooks = {
  notification: {
    post: {
      operationId: 'receiveNotification',
      tags: ['Notifications'],
      summary: 'A notification for a recipient',
      description:
        'Sent to `targets.webhook.url` of the configuration. Verify `webhook-signature` before anything else: base64 of HMAC-SHA256 over `{webhook-id}.{webhook-timestamp}.{body}` under the secret, after `v1,`. All attempts of a delivery have one `webhook-id`.',
      security: [],
      parameters: ['webhook-id', 'webhook-timestamp', 'webhook-signature'].map((name) => ({
        name,
        in: 'header',
        required: true,
        schema: { type: 'string' },
      })),
      requestBody: {
        required: true,
        content: {
          'application/json': {
            schema: { $ref: '#/components/schemas/NotificationWebhook' },
          },
        },
      },
      responses: {
        '2XX': { description: 'Received.' },
        '410': { description: 'The address is gone: nothing more is sent to it.' },
        '4XX': { description: 'Sent again later, with the delay of `Retry-After` if there is one.' },
        '5XX': { description: 'Sent again later, with the delay of `Retry-After` if there is one.' },
      },
    },
  },
} as const;

const text = { type: 'string' } as const;
const textOrNull = { type: ['string', 'null'] } as const;

/** The body of a sent notification. It has no content, only the link to it. */
export const notificationWebhookSchema = {
  type: 'object',
  required: ['type', 'timestamp', 'data'],
  properties: {
    type: { type: 'string', enum: ['notification'] },
    timestamp: { type: 'string', format: 'date-time' },
    data: {
      type: 'object',
      required: ['send_id', 'recipient', 'organization_name', 'link_url', 'expires_at'],
      properties: {
        send_id: text,
        recipient: text,
        organization_name: text,
        title: textOrNull,
        category: textOrNull,
        type: textOrNull,
        link_url: { type: 'string', format: 'uri' },
        expires_at: { type: 'integer', description: 'Epoch seconds.' },
      },
    },
  },
  examples: [
    {
      type: 'notification',
      timestamp: '2026-11-25T09:46:40.000Z',
      data: {
        send_id: 'invoice-2041',
        recipient: 'ana@example.com',
        organization_name: 'Example Ltd.',
        title: 'Your invoice',
        category: 'invoices',
        type: null,
        link_url: 'https://link.example.com/hT5vX9kQm2Zr7nLs',
        expires_at: 1_795_686_400,
      },
    },
  ],
} as const;
