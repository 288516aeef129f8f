import { Int, Text } from '../core/fields.js';
import { operation } from '../core/operation.js';

export class ViewerToken {
  @Text({ max: 4_096 }) viewer_token: string;
  @Int({ description: 'Always 300.' }) expires_in: number;
}

export const mintViewerToken = operation({
  name: 'auth.mint-viewer-token',
  summary: 'A token for five minutes of viewing. It opens no account route.',
  http: { method: 'POST', path: '/v1/auth/viewer-token', status: 200 },
  access: { credential: 'key' },
  reply: ViewerToken,
});
